! SPDX-License-Identifier: Apache-2.0
! Reductions over scalars, arrays and allocatables with Fortran's operators and intrinsics.
program reductions
  implicit none
  integer :: i, smallest, largest, ands, ors, xors, product_of(3)
  integer, allocatable :: bins(:)
  logical :: all_true, any_true, equal, different
  real(8) :: total, factor
  complex(8) :: plane
  allocate (bins(10))
  bins = 1
  smallest = 1000; largest = -1000; ands = -1; ors = 0; xors = 0
  all_true = .true.; any_true = .false.; equal = .true.; different = .false.
  total = 0; factor = 1; plane = (0, 0); product_of = 0
  !$omp parallel do reduction(min:smallest) reduction(max:largest) reduction(iand:ands) &
  !$omp& reduction(ior:ors) reduction(ieor:xors) reduction(.and.:all_true) reduction(.or.:any_true) &
  !$omp& reduction(.eqv.:equal) reduction(.neqv.:different) reduction(+:total, plane, product_of, bins) &
  !$omp& reduction(*:factor) schedule(dynamic, 3)
  do i = 1, 200
    smallest = min(smallest, i - 50)
    largest = max(largest, 2 * i)
    ands = iand(ands, not(ishft(1, mod(i, 4))))
    ors = ior(ors, ishft(1, mod(i, 6)))
    xors = ieor(xors, i)
    all_true = all_true .and. i < 200
    any_true = any_true .or. i == 100
    equal = equal .eqv. mod(i, 2) == 0
    different = different .neqv. i > 150
    total = total + 0.5_8
    plane = plane + (1, -1)
    product_of(mod(i, 3) + 1) = product_of(mod(i, 3) + 1) + i
    bins(mod(i, 10) + 1) = bins(mod(i, 10) + 1) + 1
    if (mod(i, 50) == 0) factor = factor * 3
  end do
  call expect(smallest == -49, 'min')
  call expect(largest == 400, 'max')
  call expect(ands == not(15), 'iand')
  call expect(ors == 63, 'ior')
  call expect(xors == 200, 'ieor')
  call expect(.not. all_true .and. any_true, 'logical')
  call expect(equal .and. .not. different, 'equivalence')
  call expect(total == 100 .and. factor == 81, 'real')
  call expect(plane == (200, -200), 'complex')
  call expect(all(bins == 21), 'allocatable')
  call expect(sum(product_of) == 20100, 'array')
contains
  subroutine expect(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    if (condition) return
    print '(a,a)', what, ' reduction is wrong'
    error stop 1
  end subroutine
end program
