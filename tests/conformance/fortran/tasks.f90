! SPDX-License-Identifier: Apache-2.0
! Tasks in Fortran: recursion, firstprivate, depend, taskgroup, taskloop, final and undeferred tasks.
program tasks
  use omp_lib
  implicit none
  integer :: i, value, marks(200), total
  value = 0
  marks = 0
  total = 0
  !$omp parallel
  !$omp single
  if (fib(12) /= 144) call fail('fib', 12)
  do i = 1, 200
    !$omp task firstprivate(i) shared(marks)
    marks(i) = marks(i) + i
    !$omp end task
  end do
  !$omp taskwait
  do i = 1, 200
    if (marks(i) /= i) call fail('firstprivate', i)
  end do
  do i = 1, 30
    !$omp task depend(inout: value) shared(value) firstprivate(i)
    if (value /= i - 1) call fail('depend', value)
    value = i
    !$omp end task
  end do
  !$omp task depend(in: value) shared(value) if (.false.)
  if (value /= 30) call fail('undeferred', value)
  !$omp end task
  !$omp taskgroup
  !$omp task final(.true.) shared(total)
  if (.not. omp_in_final()) call fail('final', 0)
  !$omp atomic
  total = total + 1
  !$omp end task
  !$omp end taskgroup
  if (total /= 1) call fail('taskgroup', total)
  !$omp taskloop grainsize(7) shared(marks)
  do i = 1, 200
    marks(i) = -i
  end do
  !$omp end taskloop
  if (any(marks /= [(-i, i = 1, 200)])) call fail('taskloop', marks(200))
  !$omp end single
  !$omp end parallel
contains
  recursive integer function fib(n) result(number)
    integer, intent(in) :: n
    integer :: a, b
    if (n < 2) then
      number = n
      return
    end if
    !$omp task shared(a)
    a = fib(n - 1)
    !$omp end task
    !$omp task shared(b)
    b = fib(n - 2)
    !$omp end task
    !$omp taskwait
    number = a + b
  end function
  subroutine fail(what, value)
    character(*), intent(in) :: what
    integer, intent(in) :: value
    print '(a,a,i0)', what, ' is wrong: ', value
    error stop 1
  end subroutine
end program
