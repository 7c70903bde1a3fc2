! SPDX-License-Identifier: Apache-2.0
! parallel do with every schedule, stride, collapse, lastprivate and 64-bit indices.
program loops
  use omp_lib
  implicit none
  integer, parameter :: trips = 400
  integer :: seen(trips), i, j, last, kind
  integer(8) :: wide, total

  do kind = 1, 6
    seen = 0
    select case (kind)
    case (1)
      !$omp parallel do schedule(static)
      do i = 1, trips
        seen(i) = seen(i) + 1
      end do
    case (2)
      !$omp parallel do schedule(static, 7)
      do i = trips, 1, -1
        seen(i) = seen(i) + 1
      end do
      !$omp end parallel do
    case (3)
      !$omp parallel do schedule(dynamic, 3)
      do i = 1, trips
        seen(i) = seen(i) + 1
      end do
    case (4)
      !$omp parallel do schedule(guided)
      do i = trips, 1, -1
        seen(i) = seen(i) + 1
      end do
    case (5)
      call omp_set_schedule(omp_sched_dynamic, 5)
      !$omp parallel do schedule(runtime)
      do i = 1, trips
        seen(i) = seen(i) + 1
      end do
    case (6)
      !$omp parallel do schedule(auto)
      do i = 1, trips
        seen(i) = seen(i) + 1
      end do
    end select
    if (any(seen /= 1)) call fail('schedule', kind)
  end do

  seen = 0
  last = 0
  !$omp parallel do collapse(2) lastprivate(last) schedule(dynamic)
  do i = 1, 20
    do j = 1, 20
      seen((i - 1) * 20 + j) = seen((i - 1) * 20 + j) + 1
      last = i * j
    end do
  end do
  if (any(seen /= 1)) call fail('collapse', 0)
  if (last /= 400) call fail('lastprivate', last)

  total = 0
  !$omp parallel do reduction(+:total) schedule(guided, 2)
  do wide = 5000000000_8, 5000000300_8, 3_8
    total = total + wide - 5000000000_8
  end do
  if (total /= 15150) call fail('64-bit index', int(total))

  !$omp parallel private(i)
  !$omp do schedule(dynamic)
  do i = 1, trips
    seen(i) = 5
  end do
  !$omp end do nowait
  !$omp barrier
  if (any(seen /= 5)) call fail('nowait', 0)
  !$omp end parallel

contains
  subroutine fail(what, value)
    character(*), intent(in) :: what
    integer, intent(in) :: value
    print '(a,a,i0)', what, ' is wrong: ', value
    error stop 1
  end subroutine
end program
