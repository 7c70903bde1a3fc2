! SPDX-License-Identifier: Apache-2.0
! Internal procedures as arguments, in members that wait and in tasks.
module procedures
  implicit none

contains

  integer function sum_of(number)
    integer, intent(in) :: number
    integer :: base
    base = 100 * number
    sum_of = 0
    call twice(add)
  contains
    subroutine twice(function_of)
      interface
        integer function function_of(x)
          integer, intent(in) :: x
        end function
      end interface
      if (function_of(1) /= base + 1) sum_of = sum_of + 1
      !$omp taskyield
      if (function_of(2) /= base + 2) sum_of = sum_of + 1
    end subroutine
    integer function add(x)
      integer, intent(in) :: x
      add = base + x
    end function
  end function

  integer function wrong(number)
    integer, intent(in) :: number
    integer :: base, round
    base = 100 * number
    wrong = 0
    do round = 1, 3
      call check(add)
      !$omp barrier
    end do
  contains
    subroutine check(function_of)
      interface
        integer function function_of(x)
          integer, intent(in) :: x
        end function
      end interface
      if (function_of(round) /= base + round) wrong = wrong + 1
    end subroutine
    integer function add(x)
      integer, intent(in) :: x
      add = base + x
    end function
  end function

end module

program internal
  use omp_lib
  use procedures
  implicit none
  integer :: failures, i
  failures = 0
  !$omp parallel reduction(+: failures)
  failures = failures + wrong(omp_get_thread_num())
  !$omp end parallel
  !$omp parallel
  !$omp single
  do i = 1, 50
    !$omp task firstprivate(i) shared(failures)
    if (sum_of(i) /= 0) then
      !$omp atomic
      failures = failures + 1
    end if
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  if (failures /= 0) error stop 1
end program
