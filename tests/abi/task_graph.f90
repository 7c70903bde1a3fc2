! SPDX-License-Identifier: Apache-2.0
! As task_graph.c, from Fortran, with the module of task_graph.F90.
module wavefront
  use, intrinsic :: iso_c_binding
  use tulle_task_graph
  implicit none
  integer, parameter :: side = 20, constructs = 3
  integer, save :: grid(0:side, 0:side)
  type, bind(c) :: cell
    integer(c_int) :: i, j
  end type cell
contains
  subroutine compute(data) bind(c)
    type(c_ptr), value :: data
    type(cell), pointer :: at
    call c_f_pointer(data, at)
    grid(at%i, at%j) = mod(3 * grid(at%i - 1, at%j) + grid(at%i, at%j - 1), 1009)
    at%i = 0  ! a copy
  end subroutine compute

  type(c_ptr) function built() result(graph)
    integer(c_int64_t) :: id(side, side)
    type(cell), target :: at
    integer :: i, j
    graph = tulle_task_graph_create(constructs, side)
    do i = 1, side
      do j = 1, side
        at = cell(i, j)
        id(i, j) = tulle_task_graph_add(graph, 1, [i - 1, j - 1], c_funloc(compute), c_loc(at), c_sizeof(at))
        if (id(i, j) /= 1 + constructs * ((i - 1) * side + (j - 1) * side**2)) stop 2
        if (i > 1) call tulle_task_graph_add_edge(graph, id(i - 1, j), id(i, j))
        if (j > 1) call tulle_task_graph_add_edge(graph, id(i, j - 1), id(i, j))
      end do
    end do
    if (tulle_task_graph_bytes(graph) /= 0) stop 3
  end function built

  subroutine run(graph, seed)
    type(c_ptr), intent(in) :: graph
    integer, intent(in) :: seed
    integer :: wanted(0:side, 0:side), i, j
    grid = seed
    wanted = seed
    do i = 1, side
      do j = 1, side
        wanted(i, j) = mod(3 * wanted(i - 1, j) + wanted(i, j - 1), 1009)
      end do
    end do
    if (.not. tulle_task_graph_run(graph)) stop 4
    if (any(grid /= wanted)) stop 5
  end subroutine run

  ! A loop's counter beyond its bound: nothing runs, and one line says why.
  subroutine run_wrong()
    type(c_ptr) :: graph
    type(cell), target :: at
    graph = tulle_task_graph_create(constructs, side)
    at = cell(1, 1)
    if (tulle_task_graph_add(graph, 0, [side], c_funloc(compute), c_loc(at), c_sizeof(at)) /= tulle_no_task) stop 6
    if (tulle_task_graph_run(graph)) stop 7
    call tulle_task_graph_destroy(graph)
  end subroutine run_wrong
end module wavefront

program task_graph
  use omp_lib
  use wavefront
  implicit none
  type(c_ptr) :: graph
  character(len=8) :: argument
  integer :: threads, r, status
  threads = 2
  call get_command_argument(1, argument, status=status)
  if (status == 0) read (argument, *) threads
  graph = tulle_task_graph_create(0, 0)
  if (.not. c_associated(graph)) then
    if (tulle_task_graph_run(graph)) stop 1
    print '(a)', 'elsewhere'
  else if (threads == 0) then
    call run_wrong
  else
    call tulle_task_graph_destroy(graph)
    graph = built()
    call run(graph, 5)  ! outside of regions
    !$omp parallel num_threads(threads) private(r)
    !$omp single
    do r = 1, 15
      call run(graph, r)
    end do
    !$omp end single
    !$omp end parallel
    if (tulle_task_graph_bytes(graph) == 0) stop 8
    print '(a)', 'replayed'
  end if
  call tulle_task_graph_destroy(graph)
end program task_graph
