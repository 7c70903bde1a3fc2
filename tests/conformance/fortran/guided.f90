! SPDX-License-Identifier: Apache-2.0
! Guided loops run each iteration once, and each thread those of its chunks in the loop's order: 32 and
! 64 bits, strides of both signs, up to the ends of the types.
program guided
  use omp_lib
  use, intrinsic :: iso_fortran_env, only: int32, int64
  implicit none
  integer, parameter :: most = 3000
  integer, parameter :: counts(5) = [0, 1, 13, 1000, most], chunks(3) = [1, 5, 200]
  integer :: seen(most), order_errors, i, j, trips, chunk

  do i = 1, size(counts)
    do j = 1, size(chunks)
      trips = counts(i)
      chunk = chunks(j)
      call narrow(1_int32, 1_int32)
      call narrow(huge(1_int32) - 3_int32 * int(trips, int32), 3_int32)
      call narrow(-huge(1_int32) + 3_int32 * int(trips, int32), -3_int32)
      call wide(1_int64, 1_int64)
      call wide(huge(1_int64) - 7_int64 * trips, 7_int64)
      call wide(-huge(1_int64) + 7_int64 * trips, -7_int64)
    end do
  end do

contains
  subroutine narrow(first, step)
    integer(int32), intent(in) :: first, step
    integer(int32) :: k, last
    integer :: before
    call begin()
    last = first + step * (int(trips, int32) - 1)
    !$omp parallel private(before)
    before = 0
    !$omp do schedule(guided, chunk)
    do k = first, last, step
      call note(int((k - first) / step) + 1, before)
    end do
    !$omp end do
    !$omp end parallel
    call check('32 bits', int(first, int64))
  end subroutine

  subroutine wide(first, step)
    integer(int64), intent(in) :: first, step
    integer(int64) :: k, last
    integer :: before
    call begin()
    last = first + step * (trips - 1)
    !$omp parallel private(before)
    before = 0
    !$omp do schedule(guided, chunk)
    do k = first, last, step
      call note(int((k - first) / step) + 1, before)
    end do
    !$omp end do
    !$omp end parallel
    call check('64 bits', first)
  end subroutine

  subroutine begin()
    seen = 0
    order_errors = 0
  end subroutine

  subroutine note(iteration, before)
    integer, intent(in) :: iteration
    integer, intent(inout) :: before
    !$omp atomic
    seen(iteration) = seen(iteration) + 1
    if (iteration <= before) then
      !$omp atomic
      order_errors = order_errors + 1
    end if
    before = iteration
  end subroutine

  subroutine check(what, first)
    character(*), intent(in) :: what
    integer(int64), intent(in) :: first
    if (any(seen(:trips) /= 1) .or. any(seen(trips + 1:) /= 0) .or. order_errors /= 0) then
      print '(a,a,i0,a,i0,a,i0)', what, ' from ', first, ': ', trips, ' iterations, chunks of ', chunk
      error stop 1
    end if
  end subroutine
end program
