! SPDX-License-Identifier: Apache-2.0
! Data of taskloop that each task has a copy of, of sizes that are and are not a multiple of 16 bytes.
program taskloop_firstprivate
  implicit none
  integer, parameter :: n = 200
  integer :: failures = 0
  call one_number
  call two_numbers
  call an_array
  call of_a_routine(7, 0.5d0)
  if (failures /= 0) error stop 1

contains

  subroutine expect(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    if (right) return
    print *, 'wrong: ', what
    failures = failures + 1
  end subroutine

  subroutine one_number
    integer :: i, add, seen(n)
    seen = 0
    add = 3
    !$omp parallel
    !$omp single
    !$omp taskloop firstprivate(add) grainsize(3)
    do i = 1, n
      seen(i) = seen(i) + add
    end do
    !$omp end taskloop
    !$omp end single
    !$omp end parallel
    call expect(all(seen == 3), 'one number')
  end subroutine

  subroutine two_numbers
    integer :: i
    integer(8) :: add, times, seen(n)
    seen = 0
    add = 5
    times = 2
    !$omp parallel
    !$omp single
    !$omp taskloop firstprivate(add, times) num_tasks(7)
    do i = 1, n
      seen(i) = seen(i) + add * times
      add = -1
    end do
    !$omp end taskloop
    !$omp end single
    !$omp end parallel
    call expect(count(seen == 10) == 7, 'two numbers')
    call expect(add == 5, 'the original')
  end subroutine

  subroutine an_array
    integer :: i
    real(8) :: table(3), seen(n)
    seen = 0
    table = [1d0, 2d0, 3d0]
    !$omp parallel
    !$omp single
    !$omp taskloop firstprivate(table)
    do i = 1, n
      seen(i) = table(1) + 10 * table(2) + 100 * table(3)
    end do
    !$omp end taskloop
    !$omp end single
    !$omp end parallel
    call expect(all(seen == 321), 'an array')
  end subroutine

  subroutine of_a_routine(number, factor)
    integer, value :: number
    real(8), value :: factor
    integer :: i
    real(8) :: seen(n)
    seen = 0
    !$omp parallel
    !$omp single
    !$omp taskloop firstprivate(number, factor)
    do i = 1, n
      seen(i) = number * factor * i
    end do
    !$omp end taskloop
    !$omp end single
    !$omp end parallel
    call expect(all(seen == [(3.5d0 * i, i = 1, n)]), 'arguments by value')
  end subroutine

end program
