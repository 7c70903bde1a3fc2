! SPDX-License-Identifier: Apache-2.0
! LU factorisation without pivoting over all ranks (Marques Filho and Hexsel, section 4): panels of columns, dealt to
! ranks in turn. The owner of a panel factors it and sends it to all, who update their own panels with it. "plain"
! takes one panel after the other; "tasks" divides panels into tiles of rows, and makes a task of each factoring, sending,
! receiving and update of one. So the first rows of the next panel are factored and on their way back while the last ones of
! this panel still arrive, and updates go on meanwhile. Arguments: plain or tasks, size of the matrix, width of a panel, times.
! Prints the time of each run in seconds; the result is checked. BINDING: TAMPI knows none but the older ones.
#ifndef BINDING
#define BINDING mpi_f08
#endif
program lu
  use BINDING
  implicit none
#ifndef LEVEL
#define LEVEL MPI_THREAD_MULTIPLE
#endif
  integer, parameter :: real8 = kind(1d0), band = 24

  type panel
    real(real8), allocatable :: column(:, :)
  end type

  integer :: ranks, rank, n, width, panels, tall, tiles, times, level, t, right, error
  logical :: with_tasks
  double precision :: start, time
  type(panel), allocatable :: own(:), got(:)  ! by panel; those of others hold what came of them
  type(panel), allocatable :: tile(:, :)      ! the same by rows and panel, with tasks
  integer, allocatable :: done(:, :)          ! stands for a tile in dependences
  integer, allocatable :: beside(:, :)        ! for the rows of a panel beside the diagonal of an earlier one
  integer, allocatable :: arrived(:)          ! and for the tiles of some rows that arrive, one after the other

  with_tasks = word(1) == 'tasks'
  n = number(2, 1024)
  width = number(3, 32)
  times = number(4, 5)
  panels = n / width
  tall = 64  ! a tile of 16 KB: longer messages take several steps of both sides
  tiles = n / tall
  call MPI_Init_thread(merge(LEVEL, MPI_THREAD_SINGLE, with_tasks), level, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call make_panels()
  do t = 1, times
    call fill()
    call MPI_Barrier(MPI_COMM_WORLD, error)
    start = MPI_Wtime()
    if (with_tasks) then
      call factor_by_tasks()
    else
      call factor_in_turn()
    end if
    time = MPI_Wtime() - start
    call MPI_Allreduce(MPI_IN_PLACE, time, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
    if (rank == 0) print '(f0.6)', time
    right = merge(1, 0, is_right())
    call MPI_Allreduce(MPI_IN_PLACE, right, 1, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD, error)
    if (right == 0) then
      if (rank == 0) write (0, '(a)') 'lu: wrong'
      call MPI_Abort(MPI_COMM_WORLD, 1, error)
    end if
  end do
  call MPI_Finalize(error)

contains

  function word(position) result(text)
    integer, intent(in) :: position
    character(len=16) :: text
    call get_command_argument(position, text)
  end function

  integer function number(position, default)
    integer, intent(in) :: position, default
    character(len=16) :: text
    text = word(position)
    number = default
    if (text /= '') read (text, *) number
  end function

  logical function is_mine(p)
    integer, intent(in) :: p
    is_mine = mod(p - 1, ranks) == rank
  end function

  ! The rows of which the panel's diagonal is a part.
  integer function first_tile(p)
    integer, intent(in) :: p
    first_tile = (p - 1) * width / tall + 1
  end function

  ! A panel of others holds its rows from its diagonal on, and so do its tiles.
  subroutine make_panels()
    integer :: p, b
    allocate (own(panels), got(panels), tile(tiles, panels), done(tiles, panels))
    allocate (beside(panels, panels), arrived(tiles))
    do p = 1, panels
      if (is_mine(p)) allocate (own(p)%column(n, width))
      if (.not. with_tasks) allocate (got(p)%column(n - (p - 1) * width, width))
      if (.not. with_tasks) cycle
      do b = first_tile(p), tiles
        allocate (tile(b, p)%column(b * tall - max((p - 1) * width, (b - 1) * tall), width))
      end do
    end do
  end subroutine

  ! The matrix is the product of two factors that are known, of `band` diagonals each; the algorithm is a dense one.
  real(real8) function lower(i, j)
    integer, intent(in) :: i, j
    lower = merge(1d0 / (1 + i - j), 0d0, i - j < band)
  end function

  real(real8) function upper(i, j)
    integer, intent(in) :: i, j
    upper = merge(merge(2d0, 1d0 / (1 + j - i), i == j), 0d0, j - i < band)
  end function

  real(real8) function element(i, j)
    integer, intent(in) :: i, j
    integer :: k
    element = 0
    do k = max(1, max(i, j) - band + 1), min(i, j)
      element = element + lower(i, k) * upper(k, j)
    end do
  end function

  subroutine fill()
    integer :: p, c, i
    do p = 1, panels
      if (.not. is_mine(p)) cycle
      do c = 1, width
        do i = 1, n
          own(p)%column(i, c) = element(i, (p - 1) * width + c)
        end do
      end do
    end do
  end subroutine

  ! Rows from the panel's diagonal on, in place.
  subroutine factor(p)
    integer, intent(in) :: p
    integer :: k, j, r, first
    first = (p - 1) * width
    associate (a => own(p)%column)
      do k = 1, width
        r = first + k
        a(r + 1:n, k) = a(r + 1:n, k) / a(r, k)
        do j = k + 1, width
          a(r + 1:n, j) = a(r + 1:n, j) - a(r + 1:n, k) * a(r, j)
        end do
      end do
      got(p)%column = a(first + 1:n, :)
    end associate
  end subroutine

  ! Panel q by panel p: the block beside p's diagonal, and what lies below.
  subroutine update(q, p)
    integer, intent(in) :: q, p
    call update_block(own(q)%column((p - 1) * width + 1:n, :), got(p)%column, n - (p - 1) * width)
  end subroutine

  subroutine update_block(a, l, rows)
    integer, intent(in) :: rows
    real(real8), intent(inout) :: a(:, :)
    real(real8), intent(in) :: l(rows, width)
    integer, parameter :: strip = 256
    integer :: j, k, first, last
    do j = 1, width
      do k = 1, width - 1
        a(k + 1:width, j) = a(k + 1:width, j) - l(k + 1:width, k) * a(k, j)
      end do
    end do
    do first = width + 1, rows, strip
      last = min(first + strip - 1, rows)
      do j = 1, width
        do k = 1, width
          a(first:last, j) = a(first:last, j) - l(first:last, k) * a(k, j)
        end do
      end do
    end do
  end subroutine

  subroutine send(p)
    integer, intent(in) :: p
    integer :: turn, error
    do turn = 1, ranks - 1
      call MPI_Send(got(p)%column, size(got(p)%column), MPI_DOUBLE_PRECISION, mod(rank + turn, ranks), p, &
                    MPI_COMM_WORLD, error)
    end do
  end subroutine

  subroutine receive(p)
    integer, intent(in) :: p
    integer :: error
    call MPI_Recv(got(p)%column, size(got(p)%column), MPI_DOUBLE_PRECISION, mod(p - 1, ranks), p, MPI_COMM_WORLD, &
                  MPI_STATUS_IGNORE, error)
  end subroutine

  subroutine factor_in_turn()
    integer :: p, q
    do p = 1, panels
      if (is_mine(p)) then
        call factor(p)
        call send(p)
      else
        call receive(p)
      end if
      do q = p + 1, panels
        if (is_mine(q)) call update(q, p)
      end do
    end do
  end subroutine

  ! Rows of a panel, in place: those with its diagonal by themselves, the others by what these have become.
  subroutine factor_tile(p, b)
    integer, intent(in) :: p, b
    integer :: k, j, r, low, high
    high = b * tall
    associate (a => own(p)%column)
      do k = 1, width
        r = (p - 1) * width + k
        low = max(r, (b - 1) * tall) + 1
        a(low:high, k) = a(low:high, k) / a(r, k)
        do j = k + 1, width
          a(low:high, j) = a(low:high, j) - a(low:high, k) * a(r, j)
        end do
      end do
      tile(b, p)%column = a(max((p - 1) * width, (b - 1) * tall) + 1:high, :)
    end associate
  end subroutine

  ! Rows of panel q by the same of panel p.
  subroutine update_tile(q, p, b)
    integer, intent(in) :: q, p, b
    integer :: first, low
    first = (p - 1) * width
    low = max(first, (b - 1) * tall)
    if (b == first_tile(p)) then
      call update_block(own(q)%column(low + 1:b * tall, :), tile(b, p)%column, b * tall - low)
    else
      call update_rows(own(q)%column(low + 1:b * tall, :), own(q)%column(first + 1:first + width, :), tile(b, p)%column)
    end if
  end subroutine

  subroutine update_rows(a, above, l)
    real(real8), intent(inout) :: a(:, :)
    real(real8), intent(in) :: above(:, :), l(tall, width)
    integer :: j, k
    do j = 1, width
      do k = 1, width
        a(:, j) = a(:, j) - l(:, k) * above(k, j)
      end do
    end do
  end subroutine

  integer function tag_of(p, b)
    integer, intent(in) :: p, b
    tag_of = (p - 1) * tiles + b
  end function

  subroutine send_tile(p, b)
    integer, intent(in) :: p, b
    integer :: turn, error
    do turn = 1, ranks - 1
      call MPI_Send(tile(b, p)%column, size(tile(b, p)%column), MPI_DOUBLE_PRECISION, mod(rank + turn, ranks), tag_of(p, b), &
                    MPI_COMM_WORLD, error)
    end do
  end subroutine

  subroutine receive_tile(p, b)
    integer, intent(in) :: p, b
    integer :: error
    call MPI_Recv(tile(b, p)%column, size(tile(b, p)%column), MPI_DOUBLE_PRECISION, mod(p - 1, ranks), tag_of(p, b), &
                  MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  end subroutine

  ! The panel that is factored next comes before the others, which wait for nobody elsewhere.
  subroutine factor_by_tasks()
    integer :: p, q, b, d
    !$omp parallel
    !$omp single
    do p = 1, panels
      d = first_tile(p)
      do b = d, tiles
        if (is_mine(p)) then
          !$omp task firstprivate(p, b) depend(in: done(d, p)) depend(inout: done(b, p)) priority(2)
          call factor_tile(p, b)
          !$omp end task
          !$omp task firstprivate(p, b) depend(in: done(b, p)) priority(2)
          call send_tile(p, b)
          !$omp end task
        else
          !$omp task firstprivate(p, b) depend(out: done(b, p)) depend(inout: arrived(b)) priority(2)
          call receive_tile(p, b)
          !$omp end task
        end if
      end do
      do q = p + 1, panels
        if (.not. is_mine(q)) cycle
        !$omp task firstprivate(q, p, d) depend(in: done(d, p)) depend(inout: done(d, q)) depend(out: beside(p, q)) &
        !$omp & priority(merge(1, 0, q == p + 1))
        call update_tile(q, p, d)
        !$omp end task
        do b = d + 1, tiles
          !$omp task firstprivate(q, p, b) depend(in: done(b, p), beside(p, q)) depend(inout: done(b, q)) &
          !$omp & priority(merge(1, 0, q == p + 1))
          call update_tile(q, p, b)
          !$omp end task
        end do
      end do
    end do
    !$omp end single
    !$omp end parallel
  end subroutine

  ! Against the factors that the matrix was made of.
  logical function is_right()
    integer :: p, c, i, j
    real(real8) :: expected
    is_right = .true.
    do p = 1, panels
      if (.not. is_mine(p)) cycle
      do c = 1, width, 7
        j = (p - 1) * width + c
        do i = 1, n, 5
          expected = merge(lower(i, j), upper(i, j), i > j)
          if (abs(own(p)%column(i, c) - expected) > 1d-9) is_right = .false.
        end do
      end do
    end do
  end function
end program
