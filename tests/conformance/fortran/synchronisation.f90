! SPDX-License-Identifier: Apache-2.0
! single copyprivate, critical, atomic, ordered, sections, masked, barriers and locks.
program synchronisation
  use omp_lib
  implicit none
  integer :: i, n, next, total, value, hits(3), captured
  character(12) :: text
  real(8), allocatable :: field(:)
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nest
  call omp_set_dynamic(.false.)
  n = omp_get_max_threads()
  total = 0
  hits = 0
  call omp_init_lock(lock)
  call omp_init_nest_lock(nest)
  !$omp parallel private(value, text, field, captured) reduction(+:total)
  allocate (field(5))
  !$omp single
  value = 42
  text = 'from one'
  field = 2.5
  !$omp end single copyprivate(value, text, field)
  if (value /= 42 .or. text /= 'from one' .or. any(field /= 2.5)) call fail('copyprivate', value)
  !$omp critical (name)
  hits(1) = hits(1) + 1
  !$omp end critical (name)
  !$omp atomic capture
  hits(2) = hits(2) + 1
  captured = hits(2)
  !$omp end atomic
  if (captured < 1 .or. captured > n) call fail('atomic capture', captured)
  call omp_set_lock(lock)
  hits(3) = hits(3) + 1
  call omp_unset_lock(lock)
  call omp_set_nest_lock(nest)
  if (omp_test_nest_lock(nest) /= 2) call fail('nest lock', 0)
  call omp_unset_nest_lock(nest)
  call omp_unset_nest_lock(nest)
  !$omp barrier
  if (any(hits /= n)) call fail('exclusion', hits(1))
  !$omp sections
  !$omp section
  total = total + 1
  !$omp section
  total = total + 10
  !$omp end sections
  !$omp master
  total = total + 100
  !$omp end master
  !$omp end parallel
  if (total /= 111) call fail('sections', total)
  next = 1
  !$omp parallel do ordered schedule(dynamic)
  do i = 1, 100
    !$omp ordered
    if (next /= i) call fail('ordered', next)
    next = next + 1
    !$omp end ordered
  end do
  call omp_destroy_lock(lock)
  call omp_destroy_nest_lock(nest)
contains
  subroutine fail(what, value)
    character(*), intent(in) :: what
    integer, intent(in) :: value
    print '(a,a,i0)', what, ' is wrong: ', value
    error stop 1
  end subroutine
end program
