! SPDX-License-Identifier: Apache-2.0
! A stencil over zones of very unequal size, as BT-MZ (MaGOMP, Figures 4 and 5): an outer team divides
! the zones, an inner team the planes of a zone, and neighbouring zones exchange their faces between
! steps. Called from C: zones_setup once, zones_step for each step, zones_equal for the check.
module zones
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: zones_setup, zones_step, zones_restart, zones_keep, zones_equal

  integer, parameter :: side = 4, planes = 24
  integer, parameter :: width(side) = [8, 14, 24, 40]   ! the areas differ by 25
  real(8), parameter :: keep = 0.4d0, share = 0.1d0

  type :: zone
    integer :: nx, ny
    real(8), allocatable :: u(:, :, :), v(:, :, :), kept(:, :, :)
  end type zone
  type(zone), target :: grid(side, side)

  interface
    subroutine hint_load(cells) bind(c)
      import :: c_double
      real(c_double), value :: cells
    end subroutine hint_load
  end interface

contains

  subroutine zones_setup() bind(c)
    integer :: i, j
    do j = 1, side
      do i = 1, side
        associate (z => grid(i, j))
          z%nx = width(i)
          z%ny = width(j)
          allocate(z%u(0:z%nx + 1, 0:z%ny + 1, 0:planes + 1))
          allocate(z%v(z%nx, z%ny, planes), z%kept(z%nx, z%ny, planes))
        end associate
      end do
    end do
    call zones_restart()
  end subroutine zones_setup

  subroutine zones_restart() bind(c)
    integer :: i, j, x, y, k
    do j = 1, side
      do i = 1, side
        associate (z => grid(i, j))
          z%u = 0.0d0
          do k = 1, planes
            do y = 1, z%ny
              do x = 1, z%nx
                z%u(x, y, k) = mod(x * 7 + y * 3 + k * 5 + i * 11 + j, 17)
              end do
            end do
          end do
        end associate
      end do
    end do
  end subroutine zones_restart

  ! Periodic in x and y; a face is read where the zones' widths differ by the nearest line.
  subroutine exchange(i, j)
    integer, intent(in) :: i, j
    type(zone), pointer :: z, west, east, south, north
    integer :: x, y
    z => grid(i, j)
    west => grid(modulo(i - 2, side) + 1, j)
    east => grid(modulo(i, side) + 1, j)
    south => grid(i, modulo(j - 2, side) + 1)
    north => grid(i, modulo(j, side) + 1)
    do y = 1, z%ny
      z%u(0, y, 1:planes) = west%u(west%nx, y, 1:planes)
      z%u(z%nx + 1, y, 1:planes) = east%u(1, y, 1:planes)
    end do
    do x = 1, z%nx
      z%u(x, 0, 1:planes) = south%u(x, south%ny, 1:planes)
      z%u(x, z%ny + 1, 1:planes) = north%u(x, 1, 1:planes)
    end do
  end subroutine exchange

  subroutine sweep(z, inner)
    type(zone), intent(inout) :: z
    integer, intent(in) :: inner
    integer :: k, y
    !$omp parallel do num_threads(inner) if(inner > 0) private(y)
    do k = 1, planes
      do y = 1, z%ny
        z%v(:, y, k) = keep * z%u(1:z%nx, y, k) &
            + share * (z%u(0:z%nx - 1, y, k) + z%u(2:z%nx + 1, y, k)) &
            + share * (z%u(1:z%nx, y - 1, k) + z%u(1:z%nx, y + 1, k)) &
            + share * (z%u(1:z%nx, y, k - 1) + z%u(1:z%nx, y, k + 1))
      end do
    end do
    !$omp end parallel do
    !$omp parallel do num_threads(inner) if(inner > 0)
    do k = 1, planes
      z%u(1:z%nx, 1:z%ny, k) = z%v(:, :, k)
    end do
    !$omp end parallel do
  end subroutine sweep

  ! inner = 0: no region inside; outer = 0: none at all.
  subroutine zones_step(outer, inner, hints) bind(c)
    integer(c_int), value :: outer, inner, hints
    integer :: number, i, j
    !$omp parallel num_threads(outer) if(outer > 0) private(i, j)
    !$omp do schedule(static, 1)
    do number = 0, side * side - 1
      call exchange(modulo(number, side) + 1, number / side + 1)
    end do
    !$omp end do
    !$omp do schedule(static, 1)
    do number = 0, side * side - 1
      i = modulo(number, side) + 1
      j = number / side + 1
      if (hints /= 0) call hint_load(real(grid(i, j)%nx * grid(i, j)%ny, c_double))
      call sweep(grid(i, j), inner)
    end do
    !$omp end do
    !$omp end parallel
  end subroutine zones_step

  ! Keeps the present field as the one to compare with.
  subroutine zones_keep() bind(c)
    integer :: i, j
    do j = 1, side
      do i = 1, side
        grid(i, j)%kept = grid(i, j)%u(1:grid(i, j)%nx, 1:grid(i, j)%ny, 1:planes)
      end do
    end do
  end subroutine zones_keep

  integer(c_int) function zones_equal() bind(c)
    integer :: i, j
    zones_equal = 1
    do j = 1, side
      do i = 1, side
        if (any(grid(i, j)%kept /= grid(i, j)%u(1:grid(i, j)%nx, 1:grid(i, j)%ny, 1:planes))) &
            zones_equal = 0
      end do
    end do
  end function zones_equal

end module zones
