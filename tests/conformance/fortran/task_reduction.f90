! SPDX-License-Identifier: Apache-2.0
! task_reduction, in_reduction and a taskloop with a reduction.
program task_reduction_program
  implicit none
  integer :: i, total, summed
  total = 0
  summed = 0
  !$omp parallel
  !$omp single
  !$omp taskgroup task_reduction(+: total)
  do i = 1, 50
    !$omp task in_reduction(+: total) firstprivate(i)
    total = total + i
    !$omp end task
  end do
  !$omp end taskgroup
  !$omp taskloop reduction(+: summed) num_tasks(9)
  do i = 1, 100
    summed = summed + i
  end do
  !$omp end taskloop
  !$omp end single
  !$omp end parallel
  if (total /= 1275 .or. summed /= 5050) then
    print '(a,i0,a,i0)', 'sums are wrong: ', total, ' and ', summed
    error stop 1
  end if
end program
