! SPDX-License-Identifier: Apache-2.0
! Cross-iteration dependences in one and two dimensions.
program doacross
  implicit none
  integer :: i, j, chain(0:40), grid(0:8, 0:8)
  chain = 0
  !$omp parallel do ordered(1) schedule(static, 1)
  do i = 1, 40
    !$omp ordered depend(sink: i - 1)
    chain(i) = chain(i - 1) + i
    !$omp ordered depend(source)
  end do
  if (chain(40) /= 820) then
    print '(a,i0)', 'the chain ends in ', chain(40)
    error stop 1
  end if
  grid = 1
  !$omp parallel do ordered(2) schedule(dynamic)
  do i = 1, 8
    do j = 1, 8
      !$omp ordered depend(sink: i - 1, j) depend(sink: i, j - 1)
      grid(i, j) = grid(i - 1, j) + grid(i, j - 1)
      !$omp ordered depend(source)
    end do
  end do
  if (grid(8, 8) /= 12870) then
    print '(a,i0)', 'the grid ends in ', grid(8, 8)
    error stop 1
  end if
end program
