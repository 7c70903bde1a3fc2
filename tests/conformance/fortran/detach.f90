! SPDX-License-Identifier: Apache-2.0
! A detachable task completes when its event is fulfilled too: a dependent task, a taskwait and the end
! of a taskgroup wait for that, whether the event is fulfilled before or after the body has run.
! Flang 22 does not mark such a task as detachable when it makes it.
program detach
  use omp_lib
  implicit none
  integer :: round

  do round = 1, 50
    call dependent_task()
    call task_group()
  end do

contains
  subroutine dependent_task()
    integer :: data, fulfilled, seen
    integer(omp_event_handle_kind) :: event
    data = 0
    fulfilled = 0
    seen = -1
    !$omp parallel
    !$omp single
    !$omp task depend(out: data) detach(event)
    data = data + 1
    !$omp end task
    !$omp task
    !$omp atomic write
    fulfilled = 1
    call omp_fulfill_event(event)
    !$omp end task
    !$omp task depend(inout: data)
    !$omp atomic read
    seen = fulfilled
    !$omp end task
    !$omp end single
    !$omp end parallel
    if (data /= 1) call fail('the body of the detachable task ran', data)
    if (seen /= 1) call fail('the dependent task saw', seen)
  end subroutine

  subroutine task_group()
    integer :: fulfilled, ran, seen
    integer(omp_event_handle_kind) :: event
    fulfilled = 0
    ran = 0
    seen = -1
    !$omp parallel
    !$omp single
    !$omp taskgroup
    !$omp task detach(event)
    !$omp atomic write
    ran = 1
    !$omp end task
    !$omp task
    !$omp atomic write
    fulfilled = 1
    call omp_fulfill_event(event)
    !$omp end task
    !$omp end taskgroup
    seen = fulfilled + ran
    !$omp end single
    !$omp end parallel
    if (seen /= 2) call fail('after the taskgroup', seen)
  end subroutine

  subroutine fail(what, value)
    character(*), intent(in) :: what
    integer, intent(in) :: value
    print '(a,a,i0)', what, ' ', value
    error stop 1
  end subroutine
end program
