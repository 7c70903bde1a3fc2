! SPDX-License-Identifier: Apache-2.0
! The hints of hints.h, the blocking sections of blocking.h and the task graphs of graph.h for Fortran 2008:
! compile this file with the program, which still runs on any other OpenMP runtime; there they do nothing. With
! -DTULLE_NO_HINTS nothing is left of the hints and graphs. task_graph.F90 is for graphs that are built by hand.
! Any thread may call at any time. The runtime's functions are looked up when they are first needed;
! threads that do so at the same time find the same.
module tulle
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit none
  private
  public :: tulle_set_load, tulle_set_policy, tulle_blocking_begin, tulle_blocking_end
  public :: tulle_graph_begin, tulle_graph_end, tulle_graph_forget
  public :: tulle_find_routine  ! for the other modules

  ! How much work the calling thread has before it, in any unit that its whole team uses.
  interface tulle_set_load
    module procedure set_load_real64, set_load_real32, set_load_int32, set_load_int64
  end interface tulle_set_load

  integer(c_intptr_t), parameter :: unknown = 0, absent = 1
  integer(c_intptr_t), save :: begin_address = unknown, end_address = unknown
#ifndef TULLE_NO_HINTS
  integer(c_intptr_t), save :: load_address = unknown, policy_address = unknown
  integer(c_intptr_t), save :: graph_begin_address = unknown, graph_end_address = unknown, &
      forget_address = unknown, leave_out_address = unknown
#ifdef __flang__
  character(kind=c_char, len=64), save, target :: reason = &
      'flang frees what its tasks capture when they have run'//c_null_char
#endif
#endif

  interface
    function dlsym(handle, name) bind(c, name='dlsym') result(address)
      import :: c_ptr, c_char, c_intptr_t
      type(c_ptr), value :: handle   ! null: everything that is loaded
      character(kind=c_char), intent(in) :: name(*)
      integer(c_intptr_t) :: address
    end function dlsym
  end interface

  abstract interface
    subroutine section_mark() bind(c)
    end subroutine section_mark
    subroutine load_setter(load) bind(c)
      import :: c_double
      real(c_double), value :: load
    end subroutine load_setter
    function graph_beginner(id) bind(c) result(runs_code)
      import :: c_int
      integer(c_int), value :: id
      integer(c_int) :: runs_code
    end function graph_beginner
    subroutine graph_ender() bind(c)
    end subroutine graph_ender
    subroutine graph_leaver(why) bind(c)
      import :: c_ptr
      type(c_ptr), value :: why
    end subroutine graph_leaver
    subroutine graph_forgetter(id) bind(c)
      import :: c_int
      integer(c_int), value :: id
    end subroutine graph_forgetter
    function policy_setter(name) bind(c) result(known)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int) :: known
    end function policy_setter
  end interface

contains

  ! The calling thread is about to wait for something that the runtime does not see, and has come back.
  subroutine tulle_blocking_begin()
    call mark('tulle_blocking_begin', begin_address)
  end subroutine tulle_blocking_begin

  subroutine tulle_blocking_end()
    call mark('tulle_blocking_end', end_address)
  end subroutine tulle_blocking_end

  subroutine mark(name, known)
    character(len=*), intent(in) :: name
    integer(c_intptr_t), intent(inout) :: known
    procedure(section_mark), pointer :: set
    type(c_funptr) :: address
    if (tulle_find_routine(name, known, address)) then
      call c_f_procpointer(address, set)
      call set()
    end if
  end subroutine mark

  subroutine set_load_real64(load)
    real(real64), intent(in) :: load
#ifndef TULLE_NO_HINTS
    procedure(load_setter), pointer :: set
    type(c_funptr) :: address
    if (tulle_find_routine('tulle_set_load', load_address, address)) then
      call c_f_procpointer(address, set)
      call set(real(load, c_double))
    end if
#endif
  end subroutine set_load_real64

  subroutine set_load_real32(load)
    real(real32), intent(in) :: load
    call set_load_real64(real(load, real64))
  end subroutine set_load_real32

  subroutine set_load_int32(load)
    integer(int32), intent(in) :: load
    call set_load_real64(real(load, real64))
  end subroutine set_load_int32

  subroutine set_load_int64(load)
    integer(int64), intent(in) :: load
    call set_load_real64(real(load, real64))
  end subroutine set_load_int64

  ! The policy of the outermost regions that this thread opens from now on. False: there is no such
  ! policy, or this is another runtime.
  logical function tulle_set_policy(name)
    character(len=*), intent(in) :: name
#ifndef TULLE_NO_HINTS
    procedure(policy_setter), pointer :: set
    type(c_funptr) :: address
#endif
    tulle_set_policy = .false.
#ifndef TULLE_NO_HINTS
    if (tulle_find_routine('tulle_set_policy', policy_address, address)) then
      call c_f_procpointer(address, set)
      tulle_set_policy = set(trim(name)//c_null_char) /= 0
    end if
#endif
  end function tulle_set_policy

  ! As in graph.h. True: run the code that creates the region's tasks.
  logical function tulle_graph_begin(id)
    integer, intent(in) :: id
#ifndef TULLE_NO_HINTS
    procedure(graph_beginner), pointer :: begin
    type(c_funptr) :: address
#endif
    tulle_graph_begin = .true.
#ifndef TULLE_NO_HINTS
    if (tulle_find_routine('tulle_graph_begin', graph_begin_address, address)) then
      call c_f_procpointer(address, begin)
      tulle_graph_begin = begin(int(id, c_int)) /= 0
    end if
#ifdef __flang__
    call leave_out_graph
#endif
#endif
  end function tulle_graph_begin

  subroutine tulle_graph_end()
#ifndef TULLE_NO_HINTS
    procedure(graph_ender), pointer :: end_graph
    type(c_funptr) :: address
    if (tulle_find_routine('tulle_graph_end', graph_end_address, address)) then
      call c_f_procpointer(address, end_graph)
      call end_graph()
    end if
#endif
  end subroutine tulle_graph_end

  subroutine tulle_graph_forget(id)
    integer, intent(in) :: id
#ifndef TULLE_NO_HINTS
    procedure(graph_forgetter), pointer :: forget
    type(c_funptr) :: address
    if (tulle_find_routine('tulle_graph_forget', forget_address, address)) then
      call c_f_procpointer(address, forget)
      call forget(int(id, c_int))
    end if
#endif
  end subroutine tulle_graph_forget

#if !defined(TULLE_NO_HINTS) && defined(__flang__)
  subroutine leave_out_graph()
    procedure(graph_leaver), pointer :: leave_out
    type(c_funptr) :: address
    if (tulle_find_routine('tulle_graph_leave_out', leave_out_address, address)) then
      call c_f_procpointer(address, leave_out)
      call leave_out(c_loc(reason))
    end if
  end subroutine leave_out_graph
#endif

  ! False: the runtime has no such routine. `known`, 0 at first, keeps what was found.
  logical function tulle_find_routine(name, known, address)
    character(len=*), intent(in) :: name
    integer(c_intptr_t), intent(inout) :: known
    type(c_funptr), intent(out) :: address
    integer(c_intptr_t) :: found
    !$omp atomic read
    found = known
    if (found == unknown) then
      found = dlsym(c_null_ptr, name//c_null_char)
      if (found == 0) found = absent
      !$omp atomic write
      known = found
    end if
    tulle_find_routine = found /= absent
    address = transfer(found, c_null_funptr)
  end function tulle_find_routine

end module tulle
