! SPDX-License-Identifier: Apache-2.0
! Fortran on devices: arrays of all kinds, their sections, derived types, optional and absent arguments, module
! variables of declare target, and the routines.
module declared
  implicit none
  integer :: factor = 3
  !$omp declare target(factor)
contains
  integer function scaled(value)
    !$omp declare target
    integer, intent(in) :: value
    scaled = value * factor
  end function
end module

program arrays
  use omp_lib
  use declared
  implicit none
  type point
    integer :: x
    real :: weight
  end type
  integer, parameter :: n = 30
  integer, allocatable :: whole(:), grid(:, :)
  integer, pointer :: section(:)
  integer, target :: fixed(n)
  type(point) :: points(4)
  integer :: i, j, total, device
  logical :: on_host

  if (omp_get_num_devices() < 1) error stop 'this needs TULLE_DEVICES'
  do device = 0, omp_get_num_devices() - 1
    call omp_set_default_device(device)
    allocate(whole(n), grid(4, 5))
    whole = [(i, i = 1, n)]
    grid = 1
    fixed = 2
    on_host = .true.
    !$omp target map(tofrom: whole, grid) map(from: on_host)
    on_host = omp_is_initial_device()
    whole = whole * 2
    grid(2, :) = whole(1:5)
    !$omp end target
    if (on_host) error stop 'it ran on the host'
    if (any(whole /= [(2 * i, i = 1, n)])) error stop 'allocatable array'
    if (any(grid(2, :) /= [2, 4, 6, 8, 10]) .or. any(grid(1, :) /= 1)) error stop 'array of rank two'

    section => fixed(5:14)
    !$omp target map(tofrom: section)
    section = section + 5
    !$omp end target
    if (any(fixed(5:14) /= 7) .or. fixed(4) /= 2 .or. fixed(15) /= 2) error stop 'pointer to a section'

    !$omp target enter data map(to: whole)
    !$omp target
    whole(3) = -3
    !$omp end target
    if (whole(3) /= 6) error stop 'it came back too early'
    !$omp target update from(whole(3:4))
    if (whole(3) /= -3) error stop 'update'
    !$omp target exit data map(delete: whole)

    do i = 1, 4
      points(i) = point(i, real(i) / 2)
    end do
    total = 0
    !$omp target teams distribute parallel do map(tofrom: points) reduction(+: total)
    do i = 1, 4
      points(i)%x = scaled(points(i)%x)
      total = total + points(i)%x + nint(2 * points(i)%weight)
    end do
    if (total /= 40) error stop 'derived type'

    call perhaps(total)
    if (total /= 41) error stop 'optional argument'
    call perhaps()

    total = 0
    do j = 1, 8
      !$omp target map(tofrom: total) nowait depend(inout: total)
      total = total + j
      !$omp end target
    end do
    !$omp taskwait
    if (total /= 36) error stop 'nowait'
    deallocate(whole, grid)
  end do

contains
  subroutine perhaps(value)
    integer, optional, intent(inout) :: value
    !$omp target map(tofrom: value)
    if (present(value)) value = value + 1
    !$omp end target
  end subroutine
end program
