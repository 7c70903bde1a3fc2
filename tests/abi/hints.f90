! SPDX-License-Identifier: Apache-2.0
! As hints.c, from Fortran, with the module of tulle.F90, and blocking sections, which wait for nothing.
program hints
  use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
  use omp_lib
  use tulle
  implicit none
  integer :: total, policy
  total = 0
  call omp_set_max_active_levels(2)
  call tulle_set_load(7)
  !$omp parallel num_threads(4) reduction(+ : total)
  call tulle_set_load(1.5 * (omp_get_thread_num() + 1))
  !$omp parallel num_threads(3) reduction(+ : total)
  call tulle_set_load(1d300)
  call tulle_blocking_begin()
  call tulle_blocking_end()
  total = total + 1
  !$omp end parallel
  call tulle_set_load(0)
  !$omp end parallel
  call tulle_set_load(-1)
  call tulle_set_load(ieee_value(1d0, ieee_quiet_nan))
  policy = merge(1, 0, tulle_set_policy('default'))
  if (tulle_set_policy('no such policy')) policy = 9
  !$omp parallel num_threads(2) reduction(+ : total)
  total = total + 1
  !$omp end parallel
  print '(i0, a, i0)', total, ' members, policy ', policy
end program hints
