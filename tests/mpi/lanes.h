/* SPDX-License-Identifier: Apache-2.0 */
/* Each OpenMP thread goes through the same calls in a communicator of its own, its lane, and says what came of
   them: the lines are printed by lane, so that two runs can be compared. */
#include <mpi.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  MPI_Comm comm;
  MPI_Comm ring, alone, between; /* made before lanes run: Open MPI 4.1 does not bear them made at the same time */
  int rank, size, number;
  char *text;
  size_t length;
  FILE *out;
} Lane;

/* The class of an error, which alone the standard fixes. */
static int class_of(int error) {
  int class = error;
  if (error != MPI_SUCCESS) MPI_Error_class(error, &class);
  return class;
}

static void say(Lane *lane, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(Lane *lane, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(lane->out, "%d.%d ", lane->number, lane->rank);
  vfprintf(lane->out, format, arguments);
  fputc('\n', lane->out);
  va_end(arguments);
}

static void say_ints(Lane *lane, const char *what, int error, const int *data, int count) {
  fprintf(lane->out, "%d.%d %s: %d:", lane->number, lane->rank, what, class_of(error));
  for (int i = 0; i < count; ++i) fprintf(lane->out, " %d", data[i]);
  fputc('\n', lane->out);
}

static void __attribute__((unused)) say_status(Lane *lane, const char *what, int error, const MPI_Status *status, MPI_Datatype type) {
  int count = -1;
  MPI_Get_count(status, type, &count);
  say(lane, "%s: %d from %d tag %d count %d", what, class_of(error), status->MPI_SOURCE, status->MPI_TAG, count);
}

static void open_lane(Lane *lane, int number) {
  int ranks = 2, periodic = 1;
  MPI_Comm_dup(MPI_COMM_WORLD, &lane->comm);
  MPI_Comm_set_errhandler(lane->comm, MPI_ERRORS_RETURN);
  MPI_Comm_rank(lane->comm, &lane->rank);
  MPI_Comm_size(lane->comm, &lane->size);
  MPI_Cart_create(lane->comm, 1, &ranks, &periodic, 0, &lane->ring);
  MPI_Comm_split(lane->comm, lane->rank, 0, &lane->alone);
  MPI_Intercomm_create(lane->alone, 0, lane->comm, 1 - lane->rank, 40, &lane->between);
  lane->number = number;
  lane->out = open_memstream(&lane->text, &lane->length);
}

static void close_lane(Lane *lane) {
  MPI_Comm_free(&lane->between);
  MPI_Comm_free(&lane->alone);
  MPI_Comm_free(&lane->ring);
  MPI_Comm_free(&lane->comm);
}

/* One rank writes: others' lines would mix with its own. */
static void print_all(char *text, int length, int rank) {
  MPI_Status status;
  if (rank != 0) {
    MPI_Send(text, length, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    return;
  }
  fwrite(text, 1, (size_t)length, stdout);
  MPI_Probe(1, 0, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_CHAR, &length);
  char *other = malloc((size_t)length + 1);
  MPI_Recv(other, length, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  fwrite(other, 1, (size_t)length, stdout);
  fflush(stdout);
}

static int run_lanes(int argc, char **argv, void (*go)(Lane *)) {
  int level = -1, threads = omp_get_max_threads(), failed = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (level != MPI_THREAD_MULTIPLE) {
    fprintf(stderr, "lanes: level %d\n", level);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* the handler of what has no communicator */
  Lane *lanes = calloc((size_t)threads, sizeof(Lane));
  for (int i = 0; i < threads; ++i) open_lane(&lanes[i], i);
#pragma omp parallel num_threads(threads)
  go(&lanes[omp_get_thread_num()]);
  char *all = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&all, &length);
  for (int i = 0; i < threads; ++i) {
    fclose(lanes[i].out);
    failed |= lanes[i].length == 0;
    fputs(lanes[i].text, out);
    close_lane(&lanes[i]);
  }
  fclose(out);
  print_all(all, (int)length, lanes[0].rank);
  MPI_Finalize();
  return failed;
}
