! SPDX-License-Identifier: Apache-2.0
! workshare: array assignments, where, forall, scalar reductions; parallel workshare.
program workshare_program
  use omp_lib
  implicit none
  integer, parameter :: n = 120
  real(8) :: a(n), b(n), c(n, 4)
  integer :: i, total
  b = [(real(i, 8), i = 1, n)]
  a = 0
  total = 0
  !$omp parallel
  !$omp workshare
  a = b * 2
  where (b > 60)
    a = -a
  end where
  forall (i = 1:n) c(i, 1) = a(i) + 1
  c(:, 2) = a
  total = count(a < 0)
  !$omp end workshare
  if (total /= 60) call fail('count', total)
  !$omp end parallel
  !$omp parallel workshare
  c(:, 3) = c(:, 1) - c(:, 2)
  c(:, 4) = sum(c(:, 3))
  !$omp end parallel workshare
  if (any(c(:, 3) /= 1)) call fail('difference', 0)
  if (any(c(:, 4) /= n)) call fail('sum', int(c(1, 4)))
  if (a(60) /= 120 .or. a(61) /= -122) call fail('where', int(a(61)))
contains
  subroutine fail(what, value)
    character(*), intent(in) :: what
    integer, intent(in) :: value
    print '(a,a,i0)', what, ' is wrong: ', value
    error stop 1
  end subroutine
end program
