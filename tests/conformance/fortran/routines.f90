! SPDX-License-Identifier: Apache-2.0
! The omp_lib routines from Fortran, with default and 8-byte arguments where the module has both.
program routines
  use omp_lib
  implicit none
  integer :: n, chunk
  integer(omp_sched_kind) :: kind
  real(8) :: start
  character(40) :: format
  call omp_set_dynamic(.true.)
  call expect(omp_get_dynamic(), 'omp_get_dynamic')
  call omp_set_dynamic(.false.)
  call expect(.not. omp_get_dynamic(), 'omp_set_dynamic')
  n = omp_get_max_threads()
  call omp_set_num_threads(3)
  call expect(omp_get_max_threads() == 3, 'omp_set_num_threads')
  call omp_set_max_active_levels(2)
  call expect(omp_get_max_active_levels() == 2, 'omp_set_max_active_levels')
  call omp_set_schedule(omp_sched_guided, 6)
  call omp_get_schedule(kind, chunk)
  call expect(kind == omp_sched_guided .and. chunk == 6, 'omp_get_schedule')
  call expect(.not. omp_in_parallel() .and. .not. omp_in_final(), 'omp_in_parallel')
  call expect(omp_get_num_procs() >= 1 .and. omp_get_thread_limit() >= 1, 'omp_get_num_procs')
  call expect(omp_get_level() == 0 .and. omp_get_team_size(0) == 1, 'omp_get_level')
  call expect(omp_get_num_devices() == 0 .and. omp_is_initial_device(), 'devices')
  call expect(.not. omp_get_cancellation(), 'omp_get_cancellation')
  call expect(omp_get_num_teams() == 1 .and. omp_get_team_num() == 0, 'teams')
  !$omp parallel num_threads(2)
  call expect(omp_in_parallel() .and. omp_get_num_threads() == 2, 'in a region')
  call expect(omp_get_ancestor_thread_num(1) == omp_get_thread_num(), 'omp_get_ancestor_thread_num')
  !$omp parallel num_threads(2)
  call expect(omp_get_level() == 2 .and. omp_get_active_level() == 2, 'omp_get_active_level')
  call expect(omp_get_team_size(1) == 2, 'omp_get_team_size')
  !$omp end parallel
  !$omp end parallel
  start = omp_get_wtime()
  call expect(omp_get_wtick() > 0 .and. omp_get_wtime() >= start, 'omp_get_wtime')
  call omp_set_affinity_format('%n of %N')
  call expect(omp_get_affinity_format(format) == 8, 'omp_get_affinity_format')
  call expect(format == '%n of %N', 'the affinity format')
  call expect(omp_capture_affinity(format, 'thread %n') == 8, 'omp_capture_affinity')
  call expect(format == 'thread 0', 'the captured affinity')
contains
  subroutine expect(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    if (condition) return
    print '(a,a)', what, ' is wrong'
    error stop 1
  end subroutine
end program
