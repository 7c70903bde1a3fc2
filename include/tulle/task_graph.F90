! SPDX-License-Identifier: Apache-2.0
! The task graphs of task_graph.h, which a program builds by hand, for Fortran 2008: compile tulle.F90 and this file with
! the program.
!
!   graph = tulle_task_graph_create(2, side)
!   do i = 0, side - 1
!     id = tulle_task_graph_add(graph, 0, [i], c_funloc(factor), c_loc(block(i)), c_sizeof(block(i)))
!     ...
!   end do
!   call tulle_task_graph_add_edge(graph, before, after)
!   do while (.not. done()); ran = tulle_task_graph_run(graph); end do
!   call tulle_task_graph_destroy(graph)
!
! Tasks are subroutines with bind(c) and one argument, type(c_ptr), value: where their run's copy of the bytes is that
! they were given. The program still starts on any other OpenMP runtime: there tulle_task_graph_create() gives
! c_null_ptr, and the program has to do without.
module tulle_task_graph
  use, intrinsic :: iso_c_binding
  use tulle, only: tulle_find_routine
  implicit none
  private
  public :: tulle_task_graph_create, tulle_task_graph_add, tulle_task_graph_add_edge
  public :: tulle_task_graph_run, tulle_task_graph_bytes, tulle_task_graph_destroy

  integer(c_int64_t), parameter, public :: tulle_no_task = -1_c_int64_t

  integer(c_intptr_t), save :: create_address = 0, add_address = 0, edge_address = 0, run_address = 0, &
      bytes_address = 0, destroy_address = 0

  abstract interface
    function creator(constructs, trips) bind(c) result(graph)
      import :: c_int, c_ptr
      integer(c_int), value :: constructs, trips
      type(c_ptr) :: graph
    end function creator
    function adder(graph, construct, loops, depth, work, data, bytes) bind(c) result(id)
      import :: c_int, c_ptr, c_funptr, c_size_t, c_int64_t
      type(c_ptr), value :: graph, data
      integer(c_int), value :: construct, depth
      integer(c_int), intent(in) :: loops(*)
      type(c_funptr), value :: work
      integer(c_size_t), value :: bytes
      integer(c_int64_t) :: id
    end function adder
    subroutine edge_adder(graph, before, after) bind(c)
      import :: c_ptr, c_int64_t
      type(c_ptr), value :: graph
      integer(c_int64_t), value :: before, after
    end subroutine edge_adder
    function runner(graph) bind(c) result(status)
      import :: c_ptr, c_int
      type(c_ptr), value :: graph
      integer(c_int) :: status
    end function runner
    function measurer(graph) bind(c) result(bytes)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: graph
      integer(c_size_t) :: bytes
    end function measurer
    subroutine destroyer(graph) bind(c)
      import :: c_ptr
      type(c_ptr), value :: graph
    end subroutine destroyer
  end interface

contains

  ! An empty graph: `constructs` places in the source create tasks, in loops of up to `trips` iterations. With trips 0
  ! the identifiers are 0, 1, 2 and so on.
  type(c_ptr) function tulle_task_graph_create(constructs, trips) result(graph)
    integer, intent(in) :: constructs, trips
    procedure(creator), pointer :: create
    type(c_funptr) :: address
    graph = c_null_ptr
    if (.not. tulle_find_routine('tulle_task_graph_create', create_address, address)) return
    call c_f_procpointer(address, create)
    graph = create(int(constructs, c_int), int(trips, c_int))
  end function tulle_task_graph_create

  ! A task at the place `construct`, from 0 on, where the loops around it, outermost first, have these counters, from 0
  ! on. Its identifier, or tulle_no_task.
  integer(c_int64_t) function tulle_task_graph_add(graph, construct, loops, work, data, bytes) result(id)
    type(c_ptr), intent(in) :: graph, data
    integer, intent(in) :: construct, loops(:)
    type(c_funptr), value :: work  ! not by reference: gfortran 12 would make that a relocation of a constant
    integer(c_size_t), intent(in) :: bytes
    procedure(adder), pointer :: add
    type(c_funptr) :: address
    id = tulle_no_task
    if (.not. tulle_find_routine('tulle_task_graph_add', add_address, address)) return
    call c_f_procpointer(address, add)
    id = add(graph, int(construct, c_int), int(loops, c_int), size(loops, kind=c_int), work, data, bytes)
  end function tulle_task_graph_add

  ! `after`, which was added later, begins when `before` is complete.
  subroutine tulle_task_graph_add_edge(graph, before, after)
    type(c_ptr), intent(in) :: graph
    integer(c_int64_t), intent(in) :: before, after
    procedure(edge_adder), pointer :: add_edge
    type(c_funptr) :: address
    if (.not. tulle_find_routine('tulle_task_graph_add_edge', edge_address, address)) return
    call c_f_procpointer(address, add_edge)
    call add_edge(graph, before, after)
  end subroutine tulle_task_graph_add_edge

  ! Runs all tasks, and returns when they and what they created are complete. False: there is no such graph, and
  ! nothing has run; one line says why.
  logical function tulle_task_graph_run(graph) result(ran)
    type(c_ptr), intent(in) :: graph
    procedure(runner), pointer :: run
    type(c_funptr) :: address
    ran = .false.
    if (.not. tulle_find_routine('tulle_task_graph_run', run_address, address)) return
    call c_f_procpointer(address, run)
    ran = run(graph) == 0
  end function tulle_task_graph_run

  ! Of the complete graph, with what its tasks were given; 0 before the first run.
  integer(c_size_t) function tulle_task_graph_bytes(graph) result(bytes)
    type(c_ptr), intent(in) :: graph
    procedure(measurer), pointer :: measure
    type(c_funptr) :: address
    bytes = 0
    if (.not. tulle_find_routine('tulle_task_graph_bytes', bytes_address, address)) return
    call c_f_procpointer(address, measure)
    bytes = measure(graph)
  end function tulle_task_graph_bytes

  subroutine tulle_task_graph_destroy(graph)
    type(c_ptr), intent(in) :: graph
    procedure(destroyer), pointer :: destroy
    type(c_funptr) :: address
    if (.not. tulle_find_routine('tulle_task_graph_destroy', destroy_address, address)) return
    call c_f_procpointer(address, destroy)
    call destroy(graph)
  end subroutine tulle_task_graph_destroy

end module tulle_task_graph
