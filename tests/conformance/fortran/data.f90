! SPDX-License-Identifier: Apache-2.0
! Privatised allocatables, assumed-size and automatic arrays, character and derived types; nested
! regions and host teams with target fallback.
program data_program
  use omp_lib
  implicit none
  type point
    integer :: x = 3
    real(8) :: y(4) = 1.5
  end type
  type(point) :: where_to
  integer, allocatable :: grid(:, :)
  character(8) :: name
  integer :: i, total
  allocate (grid(4, 6))
  grid = 9
  name = 'outside'
  !$omp parallel firstprivate(grid, name, where_to)
  if (any(grid /= 9) .or. any(shape(grid) /= [4, 6])) call fail('allocatable', size(grid))
  if (name /= 'outside' .or. where_to%x /= 3) call fail('derived type', where_to%x)
  grid = omp_get_thread_num()
  name = 'inside'
  where_to%y = omp_get_thread_num()
  !$omp barrier
  if (any(grid /= omp_get_thread_num())) call fail('private array', grid(1, 1))
  call automatic(5 + omp_get_thread_num())
  !$omp end parallel
  if (any(grid /= 9) .or. name /= 'outside') call fail('the original', grid(1, 1))
  total = 0
  !$omp target map(tofrom: total) map(to: grid)
  total = total + sum(grid)
  !$omp end target
  if (total /= 216) call fail('target', total)
  total = 0
  !$omp teams distribute parallel do reduction(+: total) num_teams(2)
  do i = 1, 100
    total = total + i
  end do
  if (total /= 5050) call fail('teams', total)
contains
  subroutine automatic(n)
    integer, intent(in) :: n
    integer :: work(n), i
    work = n
    !$omp parallel do firstprivate(work) num_threads(2)
    do i = 1, 4
      if (any(work /= n)) call fail('automatic array', n)
    end do
  end subroutine
  subroutine fail(what, value)
    character(*), intent(in) :: what
    integer, intent(in) :: value
    print '(a,a,i0)', what, ' is wrong: ', value
    error stop 1
  end subroutine
end program
