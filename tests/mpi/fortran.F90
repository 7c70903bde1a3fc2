! SPDX-License-Identifier: Apache-2.0
! Calls from Fortran by each of its three interfaces (BINDING 1: mpif.h, 2: mpi, 3: mpi_f08), in tasks: sentinels,
! handles and statuses are kept. What came of them is printed by task.
program fortran_calls
#if BINDING == 3
  use mpi_f08
#define REQUEST type(MPI_Request)
#define STATUS type(MPI_Status)
#define SOURCE_OF(s) s%MPI_SOURCE
#define TAG_OF(s) s%MPI_TAG
#define COMM type(MPI_Comm)
#else
#if BINDING == 2
  use mpi
#endif
#define REQUEST integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define SOURCE_OF(s) s(MPI_SOURCE)
#define TAG_OF(s) s(MPI_TAG)
#define COMM integer
#endif
  implicit none
#if BINDING == 1
  include 'mpif.h'
#endif
  integer, parameter :: tasks = 12
  integer :: rank, level, ierr, i
  character(len=400) :: lines(tasks)

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, level, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  lines = ''
  !$omp parallel
  !$omp single
  do i = 1, tasks
    !$omp task firstprivate(i)
    call talk(i, lines(i))
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  call together(lines(1))
  ! One rank writes: the other one's lines would mix with its own.
  if (rank == 1) call MPI_Send(lines, tasks * len(lines), MPI_CHARACTER, 0, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    print '(a)', (trim(lines(i)), i = 1, tasks)
    call MPI_Recv(lines, tasks * len(lines), MPI_CHARACTER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    print '(a)', (trim(lines(i)), i = 1, tasks)
  end if
  call MPI_Finalize(ierr)

contains

  subroutine talk(number, line)
    integer, intent(in) :: number
    character(len=*), intent(inout) :: line
    integer :: other, ierr, sent(4), got(4), swapped(4), first(2), index
    REQUEST :: requests(2)
    STATUS :: one
    other = 1 - rank
    sent = [1, 2, 3, 4] * number + rank
    swapped = sent
    got = 0
    if (rank == 0) then
      call MPI_Send(sent, 4, MPI_INTEGER, other, number, MPI_COMM_WORLD, ierr)
      call MPI_Recv(got, 4, MPI_INTEGER, other, number, MPI_COMM_WORLD, one, ierr)
    else
      call MPI_Recv(got, 4, MPI_INTEGER, MPI_ANY_SOURCE, number, MPI_COMM_WORLD, one, ierr)
      call MPI_Send(sent, 4, MPI_INTEGER, other, number, MPI_COMM_WORLD, ierr)
    end if
    call MPI_Sendrecv_replace(swapped, 4, MPI_INTEGER, other, 100 + number, other, 100 + number, &
                              MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Irecv(first(1), 1, MPI_INTEGER, other, 200 + number, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Isend(sent, 1, MPI_INTEGER, other, 200 + number, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    call MPI_Irecv(first(2), 1, MPI_INTEGER, other, 300 + number, MPI_COMM_WORLD, requests(1), ierr)
    requests(2) = MPI_REQUEST_NULL
    call MPI_Send(sent(2), 1, MPI_INTEGER, other, 300 + number, MPI_COMM_WORLD, ierr)
    call MPI_Waitany(2, requests, index, MPI_STATUS_IGNORE, ierr)
    write (line, '(14(i0,1x),l1,1x,l1)') number, SOURCE_OF(one), TAG_OF(one), got, swapped, first, index, &
      requests(1) == MPI_REQUEST_NULL, ierr == MPI_SUCCESS
  end subroutine

  ! Collectives, in a region of one thread's own.
  subroutine together(line)
    character(len=*), intent(inout) :: line
    integer :: sum(3), all(2), ierr, threads
    COMM :: copy
    sum = [1, 2, 3] + rank
    !$omp parallel num_threads(2)
    !$omp masked
    call MPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
    call MPI_Allgather(rank, 1, MPI_INTEGER, all, 1, MPI_INTEGER, copy, ierr)
    call MPI_Barrier(copy, ierr)
    call MPI_Comm_free(copy, ierr)
    !$omp end masked
    !$omp end parallel
    threads = len_trim(line)
    write (line(threads + 2:), '(5(i0,1x))') sum, all
  end subroutine
end program
