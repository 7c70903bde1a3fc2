! SPDX-License-Identifier: Apache-2.0
! What flang takes beyond OpenMP 5.1's part of gfortran: tile, linear with a step modifier, if on
! teams, inoutset in depend; masked with filter and parallel masked taskloop beside them.
program omp52
  use omp_lib
  implicit none
  integer, parameter :: rows = 19, columns = 11
  integer :: n
  call omp_set_dynamic(.false.)
  n = omp_get_max_threads()
  call check_tile()
  call check_linear()
  call check_teams()
  call check_inoutset()
  call check_masked()
contains
  subroutine expect(actual, expected, what)
    integer, intent(in) :: actual, expected
    character(*), intent(in) :: what
    if (actual /= expected) then
      print *, what, actual, 'expected', expected
      error stop 1
    end if
  end subroutine

  subroutine check_tile()
    integer :: seen(columns, rows), order(8), i, j, used
    seen = 0
    used = 0
    !$omp tile sizes(4, 3)
    do i = 1, rows
      do j = 1, columns
        seen(j, i) = seen(j, i) + 1
      end do
    end do
    call expect(count(seen == 1), rows * columns, 'iterations of tiles')
    !$omp tile sizes(2, 2)
    do i = 0, 1
      do j = 0, 3
        used = used + 1
        order(used) = i * 4 + j
      end do
    end do
    call expect(count(order == [0, 1, 4, 5, 2, 3, 6, 7]), 8, 'steps in the order of tiles')
  end subroutine

  subroutine check_linear()
    integer :: slots(0:200), next, i
    slots = 0
    next = 0
    !$omp simd linear(next: step(4))
    do i = 1, 50
      slots(next) = i
      next = next + 4
    end do
    call expect(next, 200, 'linear variable')
    do i = 1, 50
      call expect(slots((i - 1) * 4), i, 'slot')
    end do
  end subroutine

  subroutine check_teams()
    integer :: leagues, many
    do many = 0, 1
      leagues = 0
      !$omp teams num_teams(3) thread_limit(2) if(many == 1)
      !$omp atomic
      leagues = leagues + 1
      !$omp end teams
      call expect(leagues, 1 + 2 * many, 'teams')
    end do
  end subroutine

  subroutine check_inoutset()
    integer :: value, members, i, seen
    value = 0
    members = 0
    seen = -1
    !$omp parallel
    !$omp single
    !$omp task depend(out: value) shared(value)
    value = 1
    !$omp end task
    do i = 1, 10
      !$omp task depend(inoutset: value) shared(value, members)
      !$omp atomic
      members = members + value
      !$omp end task
    end do
    !$omp task depend(inout: value) shared(members, seen)
    seen = members
    !$omp end task
    !$omp taskwait
    !$omp end single
    !$omp end parallel
    call expect(seen, 10, 'members of the set before its successor')
  end subroutine

  subroutine check_masked()
    integer :: filtered, thread, seen(100), i
    filtered = 0
    thread = -1
    seen = 0
    !$omp parallel
    !$omp masked filter(n - 1)
    filtered = filtered + 1
    thread = omp_get_thread_num()
    !$omp end masked
    !$omp end parallel
    call expect(filtered, 1, 'masked')
    call expect(thread, n - 1, 'thread of masked')
    !$omp parallel masked taskloop grainsize(strict: 7)
    do i = 1, 100
      seen(i) = seen(i) + 1
    end do
    !$omp end parallel masked taskloop
    call expect(count(seen == 1), 100, 'iterations of a taskloop')
  end subroutine
end program
