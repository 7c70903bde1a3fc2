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
#define MESSAGE type(MPI_Message)
#define WIN type(MPI_Win)
#define GROUP type(MPI_Group)
#define DATATYPE type(MPI_Datatype)
#else
#if BINDING == 2
  use mpi
#endif
#define REQUEST integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define SOURCE_OF(s) s(MPI_SOURCE)
#define TAG_OF(s) s(MPI_TAG)
#define COMM integer
#define MESSAGE integer
#define WIN integer
#define GROUP integer
#define DATATYPE integer
#endif
  implicit none
#if BINDING == 1
  include 'mpif.h'
#endif
  integer, parameter :: tasks = 12
  integer :: rank, level, ierr, i
  character(len=800) :: lines(tasks)

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, level, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  lines = ''
  !$omp parallel
  !$omp single
  do i = 1, tasks
    !$omp task firstprivate(i)
    call talk(i, lines(i))
    call talk_otherwise(i, lines(i))
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  call together(lines(1))
  call together_rooted(lines(2))
  call together_apart(lines(3))
  call neighbours(lines(4))
  call epoch(lines(5))
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

  subroutine append(line, numbers)
    character(len=*), intent(inout) :: line
    integer, intent(in) :: numbers(:)
    character(len=300) :: text
    write (text, '(30(i0,1x))') numbers
    line = trim(line) // ' ' // text
  end subroutine

  ! The other calls between two, and those for requests.
  subroutine talk_otherwise(number, line)
    integer, intent(in) :: number
    character(len=*), intent(inout) :: line
    integer :: other, ierr, sent(2), got(2), probed(2), matched(2), some(2), count, indices(2), go
    REQUEST :: request, requests(2)
    MESSAGE :: message
    STATUS :: one
    other = 1 - rank
    sent = [5, 6] * number + rank
    got = 0
    probed = 0
    some = 0
    if (rank == 0) then
      call MPI_Ssend(sent, 2, MPI_INTEGER, other, 400 + number, MPI_COMM_WORLD, ierr)
      call MPI_Recv(go, 1, MPI_INTEGER, other, 500 + number, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      call MPI_Rsend(sent, 2, MPI_INTEGER, other, 600 + number, MPI_COMM_WORLD, ierr)
    else
      call MPI_Probe(MPI_ANY_SOURCE, 400 + number, MPI_COMM_WORLD, one, ierr)
      call MPI_Get_count(one, MPI_INTEGER, count, ierr)
      probed = [SOURCE_OF(one), count]
      call MPI_Recv(got, 2, MPI_INTEGER, other, 400 + number, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      call MPI_Irecv(got, 2, MPI_INTEGER, other, 600 + number, MPI_COMM_WORLD, request, ierr)
      call MPI_Send(number, 1, MPI_INTEGER, other, 500 + number, MPI_COMM_WORLD, ierr)
      call MPI_Wait(request, one, ierr)
    end if
    call MPI_Sendrecv(sent, 2, MPI_INTEGER, other, 700 + number, matched, 2, MPI_INTEGER, other, 700 + number, &
                      MPI_COMM_WORLD, one, ierr)
    call MPI_Isend(sent, 2, MPI_INTEGER, other, 800 + number, MPI_COMM_WORLD, request, ierr)
    call MPI_Mprobe(other, 800 + number, MPI_COMM_WORLD, message, one, ierr)
    call MPI_Mrecv(matched, 2, MPI_INTEGER, message, one, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Irecv(some(1), 1, MPI_INTEGER, other, 900 + number, MPI_COMM_WORLD, requests(1), ierr)
    requests(2) = MPI_REQUEST_NULL
    call MPI_Send(sent, 1, MPI_INTEGER, other, 900 + number, MPI_COMM_WORLD, ierr)
    call MPI_Waitsome(2, requests, count, indices, MPI_STATUSES_IGNORE, ierr)
    call append(line, [got, probed, matched, TAG_OF(one), some(1), count, indices(1), ierr])
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

  ! Those with a root, in turn each rank.
  subroutine together_rooted(line)
    character(len=*), intent(inout) :: line
    integer :: root, ierr, one(2), all(4), part(2), counts(2), places(2)
    counts = [1, 2]
    places = [2, 0]
    !$omp parallel num_threads(2)
    !$omp masked
    do root = 0, 1
      one = [10, 11] + rank
      call MPI_Bcast(one, 2, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
      all = 0
      call MPI_Gather([20, 21] + rank, 2, MPI_INTEGER, all, 2, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
      call append(line, [one, all, ierr])
      all = 0
      call MPI_Gatherv([30, 31] + rank, counts(rank + 1), MPI_INTEGER, all, counts, places, MPI_INTEGER, root, &
                       MPI_COMM_WORLD, ierr)
      call append(line, all)
      part = 0
      call MPI_Scatter([40, 41, 42, 43] + rank, 2, MPI_INTEGER, part, 2, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
      call append(line, part)
      call MPI_Scatterv([50, 51, 52, 53] + rank, counts, places, MPI_INTEGER, part, counts(rank + 1), MPI_INTEGER, &
                        root, MPI_COMM_WORLD, ierr)
      call append(line, part)
      part = 0
      call MPI_Reduce([60, 61] + rank, part, 2, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, ierr)
      call append(line, [part, ierr])
    end do
    !$omp end masked
    !$omp end parallel
  end subroutine

  subroutine together_apart(line)
    character(len=*), intent(inout) :: line
    integer :: ierr, all(4), part(2), counts(2), places(2), bytes(2), same(2)
    DATATYPE :: types(2)
    counts = [1, 2]
    places = [2, 0]
    bytes = [0, 4]
    same = [1, 1]
    types = MPI_INTEGER
    !$omp parallel num_threads(2)
    !$omp masked
    all = 0
    call MPI_Allgatherv([10, 11] + rank, counts(rank + 1), MPI_INTEGER, all, counts, places, MPI_INTEGER, &
                        MPI_COMM_WORLD, ierr)
    call append(line, [all, ierr])
    call MPI_Alltoall([20, 21, 22, 23] + rank, 2, MPI_INTEGER, all, 2, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call append(line, [all, ierr])
    call MPI_Alltoallv([30, 31] + rank, same, [0, 1], MPI_INTEGER, part, same, [1, 0], MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call append(line, [part, ierr])
    call MPI_Alltoallw([40, 41] + rank, same, bytes, types, part, same, bytes, types, MPI_COMM_WORLD, ierr)
    call append(line, [part, ierr])
    call MPI_Reduce_scatter([50, 51, 52] + rank, part, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call append(line, [part(1), ierr])
    call MPI_Reduce_scatter_block([60, 61, 62, 63] + rank, part, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call append(line, [part, ierr])
    call MPI_Scan([70, 71] + rank, part, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call append(line, [part, ierr])
    part = 0
    call MPI_Exscan([80, 81] + rank, part, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    if (rank == 1) call append(line, [part, ierr])
    !$omp end masked
    !$omp end parallel
  end subroutine

  ! Each is its own neighbour too. A graph, for MPICH 4.0 asks any topology for one in Neighbor_alltoallw of mpi_f08.
  subroutine neighbours(line)
    character(len=*), intent(inout) :: line
    integer :: ierr, all(4), same(2), places(2), both(2)
    integer(MPI_ADDRESS_KIND) :: bytes(2)
    COMM :: ring
    DATATYPE :: types(2)
    same = [1, 1]
    places = [0, 2]
    bytes = [0, 8]
    types = MPI_INTEGER
    both = [1 - rank, rank]
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, both, same, 2, both, same, MPI_INFO_NULL, .false., ring, ierr)
    !$omp parallel num_threads(2)
    !$omp masked
    all = 0
    call MPI_Neighbor_allgather([10, 11] + rank, 2, MPI_INTEGER, all, 2, MPI_INTEGER, ring, ierr)
    call append(line, [all, ierr])
    call MPI_Neighbor_allgatherv([20, 21] + rank, 1, MPI_INTEGER, all, same, places, MPI_INTEGER, ring, ierr)
    call append(line, [all, ierr])
    call MPI_Neighbor_alltoall([30, 31, 32, 33] + rank, 2, MPI_INTEGER, all, 2, MPI_INTEGER, ring, ierr)
    call append(line, [all, ierr])
    call MPI_Neighbor_alltoallv([40, 41, 42, 43] + rank, same, places, MPI_INTEGER, all, same, places, MPI_INTEGER, ring, &
                                ierr)
    call append(line, [all, ierr])
    call MPI_Neighbor_alltoallw([50, 51, 52, 53] + rank, same, bytes, types, all, same, bytes, types, ring, ierr)
    call append(line, [all, ierr])
    !$omp end masked
    !$omp end parallel
    call MPI_Comm_free(ring, ierr)
  end subroutine

  subroutine epoch(line)
    character(len=*), intent(inout) :: line
    integer, asynchronous :: memory(2)
    integer :: ierr
    integer(MPI_ADDRESS_KIND) :: bytes
    WIN :: window
    GROUP :: everybody, peer
    memory = 7
    bytes = 8
    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierr)
    call MPI_Comm_group(MPI_COMM_WORLD, everybody, ierr)
    call MPI_Group_incl(everybody, 1, [1 - rank], peer, ierr)
    !$omp parallel num_threads(2)
    !$omp masked
    call MPI_Win_post(peer, 0, window, ierr)
    call MPI_Win_start(peer, 0, window, ierr)
    bytes = 1
    call MPI_Put([70 + rank], 1, MPI_INTEGER, 1 - rank, bytes, 1, MPI_INTEGER, window, ierr)
    call MPI_Win_complete(window, ierr)
    call MPI_Win_wait(window, ierr)
    !$omp end masked
    !$omp end parallel
    call append(line, [memory, ierr])
    call MPI_Group_free(peer, ierr)
    call MPI_Group_free(everybody, ierr)
    call MPI_Win_free(window, ierr)
  end subroutine
end program
