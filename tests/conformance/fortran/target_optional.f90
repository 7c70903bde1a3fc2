! SPDX-License-Identifier: Apache-2.0
! Optional arguments, absent and present, in target regions: they come by reference or, for a copy, by value.
program target_optional
  implicit none
  integer :: failures = 0
  call by_copy(.false.)
  call by_copy(.true., (2.5d0, 1d0), [1, 2, 3])
  call by_reference(.false.)
  call by_reference(.true., 7)
  call in_task(.false.)
  call in_task(.true., [4, 5, 6])
  if (failures /= 0) error stop 1

contains

  subroutine expect(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    if (right) return
    print *, 'wrong: ', what
    failures = failures + 1
  end subroutine

  subroutine by_copy(given, number, list)
    logical, intent(in) :: given
    complex(8), optional :: number
    integer, optional :: list(3)
    logical :: there(2), right
    there = .true.
    right = .true.
    !$omp target firstprivate(number, list) map(tofrom: there, right)
    there = [present(number), present(list)]
    if (given) right = number == (2.5d0, 1d0) .and. sum(list) == 6
    !$omp end target
    call expect(all(there .eqv. given), 'present, by copy')
    call expect(right, 'values, by copy')
  end subroutine

  subroutine by_reference(given, number)
    logical, intent(in) :: given
    integer, optional :: number
    integer :: seen
    seen = -1
    !$omp target map(tofrom: seen)
    if (present(number)) seen = number
    !$omp end target
    call expect(seen == merge(7, -1, given), 'value, by reference')
  end subroutine

  subroutine in_task(given, list)
    logical, intent(in) :: given
    integer, optional :: list(3)
    integer :: seen
    seen = -1
    !$omp target firstprivate(list) map(tofrom: seen) nowait
    if (present(list)) seen = sum(list)
    !$omp end target
    !$omp taskwait
    call expect(seen == merge(15, -1, given), 'value, in a task')
  end subroutine

end program
