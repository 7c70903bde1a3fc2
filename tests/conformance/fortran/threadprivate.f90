! SPDX-License-Identifier: Apache-2.0
! threadprivate common blocks, module variables and saved locals; copyin; persistence.
module state
  implicit none
  integer :: module_value = 5
  !$omp threadprivate(module_value)
  real(8), allocatable :: buffer(:)
  !$omp threadprivate(buffer)
contains
  integer function count_calls()
    integer, save :: calls = 0
    !$omp threadprivate(calls)
    calls = calls + 1
    count_calls = calls
  end function
end module

program threadprivate_program
  use omp_lib
  use state
  implicit none
  integer :: first, second(10)
  common /block/ first, second
  !$omp threadprivate(/block/)
  integer :: region
  call omp_set_dynamic(.false.)
  !$omp parallel
  first = 100 + omp_get_thread_num()
  second = first
  if (module_value /= 5) call fail('initial value', module_value)
  module_value = first
  allocate (buffer(10 + omp_get_thread_num()))
  buffer = first
  !$omp end parallel
  do region = 1, 5
    !$omp parallel
    if (first /= 100 + omp_get_thread_num()) call fail('common', first)
    if (second(10) /= first) call fail('array in common', second(10))
    if (module_value /= first) call fail('module variable', module_value)
    if (size(buffer) /= 10 + omp_get_thread_num()) call fail('allocatable', size(buffer))
    if (buffer(10) /= first) call fail('allocatable value', int(buffer(10)))
    call through_common(region)
    if (count_calls() /= region) call fail('saved local', region)
    !$omp end parallel
  end do
  first = 1
  second = 2
  !$omp parallel copyin(/block/)
  if (first /= 1 .or. any(second /= 2)) call fail('copyin', first)
  deallocate (buffer)
  !$omp end parallel
contains
  subroutine fail(what, value)
    character(*), intent(in) :: what
    integer, intent(in) :: value
    print '(a,a,i0)', what, ' is wrong: ', value
    error stop 1
  end subroutine
end program

subroutine through_common(region)
  use omp_lib
  implicit none
  integer, intent(in) :: region
  integer :: one, many(10)
  common /block/ one, many
  !$omp threadprivate(/block/)
  if (one /= 100 + omp_get_thread_num() .or. region < 1) then
    print '(a,i0)', 'common in a subroutine is wrong: ', one
    error stop 1
  end if
end subroutine
