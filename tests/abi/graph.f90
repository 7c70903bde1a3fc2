! SPDX-License-Identifier: Apache-2.0
! As graph.c, from Fortran, with the module of tulle.F90.
program graph
  use omp_lib
  use tulle
  implicit none
  integer, parameter :: side = 16, times = 10
  integer, save :: grid(0:side, 0:side), wanted(0:side, 0:side)
  integer :: threads, runs, r, i, j, status
  character(len=8) :: argument
  threads = 2
  call get_command_argument(1, argument, status=status)
  if (status == 0) read (argument, *) threads
  runs = 0
  do r = 1, times
    if (r == 6) call tulle_graph_forget(1)
    grid = r
    wanted = r
    do i = 1, side
      do j = 1, side
        wanted(i, j) = mod(3 * wanted(i - 1, j) + wanted(i, j - 1), 1009)
      end do
    end do
    !$omp parallel num_threads(threads) shared(runs) private(i, j)
    !$omp single
    if (tulle_graph_begin(1)) then
      runs = runs + 1
      do i = 1, side
        do j = 1, side
          !$omp task firstprivate(i, j) depend(in: grid(i - 1, j), grid(i, j - 1)) depend(out: grid(i, j))
          grid(i, j) = mod(3 * grid(i - 1, j) + grid(i, j - 1), 1009)
          !$omp end task
        end do
      end do
    end if
    call tulle_graph_end()
    !$omp taskwait
    !$omp end single
    !$omp end parallel
    if (any(grid /= wanted)) then
      print '(a, i0)', 'wrong in repetition ', r
      stop 1
    end if
  end do
  if (runs == 2) then
    print '(a)', 'replayed'
  else if (runs == times) then
    print '(a)', 'elsewhere'
  end if
end program graph
