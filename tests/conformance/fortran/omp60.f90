! SPDX-License-Identifier: Apache-2.0
! teams workdistribute, each unit of work once (OpenMP 6.0 section 13.5), and do concurrent that
! the compiler turns into a parallel loop on request.
program omp60
  use omp_lib, only: omp_set_dynamic
  implicit none
  integer, parameter :: n = 200
  integer :: i, used(n)
  real(8) :: a(n), b(n), scale
  call omp_set_dynamic(.false.)
  a = [(dble(i), i = 1, n)]
  b = 1
  scale = 3
  !$omp teams workdistribute num_teams(3)
  a = scale * a + b
  !$omp end teams workdistribute
  do i = 1, n
    call expect(nint(a(i)), 3 * i + 1, 'distributed element')
  end do
  used = 0
  do concurrent (i = 1:n)
    used(i) = used(i) + i
  end do
  do i = 1, n
    call expect(used(i), i, 'concurrent iteration')
  end do
contains
  subroutine expect(actual, expected, what)
    integer, intent(in) :: actual, expected
    character(*), intent(in) :: what
    if (actual /= expected) then
      print *, what, actual, 'expected', expected
      error stop 1
    end if
  end subroutine
end program
