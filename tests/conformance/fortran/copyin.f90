! SPDX-License-Identifier: Apache-2.0
! copyin of module variables, alone and beside a common block.
module state
  implicit none
  integer :: number = 5
  character(9) :: text = 'initially'
  !$omp threadprivate(number, text)
end module

program copyin_program
  use state
  implicit none
  integer :: first, second(10)
  common /block/ first, second
  !$omp threadprivate(/block/)
  integer :: region
  do region = 1, 4
    number = region
    text = 'copied in'
    first = -region
    second = 10 * region
    !$omp parallel copyin(number, /block/, text)
    if (number /= region .or. text /= 'copied in' .or. first /= -region .or. second(10) /= 10 * region) then
      print '(a,i0,a,i0)', 'in region ', region, ' the number is ', number
      error stop 1
    end if
    !$omp barrier
    number = 0
    text = 'own'
    !$omp end parallel
  end do
end program
