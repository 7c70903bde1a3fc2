/* SPDX-License-Identifier: Apache-2.0 */
/* How the runtime reaches processes that are devices: a module for a kind of transport (MPI, say) is loaded beside the
   runtime when TULLE_DEVICES asks for it, and gives what stands here. The runtime calls one function of it at a
   time, from any OS thread; none blocks but open and end. */
#ifndef TULLE_REMOTE_H
#define TULLE_REMOTE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TULLE_REMOTE_VERSION 2
#define TULLE_REMOTE_OPEN "tulle_remote_open_2"

/* Bytes of the longest packet. */
#define TULLE_REMOTE_PACKET 3072

/* What has come. Called from inside poll(); each may call post, send and receive. */
struct tulle_remote_events {
  void (*packet)(void *context, int peer, const void *packet, size_t bytes);
  void (*done)(void *context, void *transfer);
  /* The peer is gone. Nothing more is told of it or of its transfers. */
  void (*lost)(void *context, int peer);
};

struct tulle_remote {
  int rank;  /* this process: 0 is the host */
  int ranks; /* how many there are */

  /* A packet for a peer, which gets them in the order in which they are posted. The bytes are copied. */
  void (*post)(struct tulle_remote *self, int peer, const void *packet, size_t bytes);

  /* Moves bytes from one process to another, which agree on the lane (0 to 7) and on the number of bytes; on one lane
     transfers meet in the order in which they begin. `transfer` is what done() gets, when the memory is free again
     or filled. */
  void (*send)(struct tulle_remote *self, int peer, int lane, const void *from, size_t bytes, void *transfer);
  void (*receive)(struct tulle_remote *self, int peer, int lane, void *to, size_t bytes, void *transfer);

  /* Returns how many events it told of. */
  int (*poll)(struct tulle_remote *self, const struct tulle_remote_events *events, void *context);

  /* The last call. All that was posted goes out; `together`: all peers call it too, so that it may wait for them. What
     the program began itself is left to it. */
  void (*end)(struct tulle_remote *self, int together);
};

/* How the processes come to be. */
enum tulle_remote_way {
  tulle_remote_started,  /* a launcher has started all of them */
  tulle_remote_starts,   /* the program uses the transport itself: this process starts those that are its devices */
  tulle_remote_was_begun /* this process is one that another has started so */
};

struct tulle_remote_start {
  enum tulle_remote_way way;
  /* What comes below is for tulle_remote_starts: how many, by which command (absolute, null at the end), and what is
     called when the program is about to leave the transport, which still works then; end() is called in there. */
  int processes;
  char *const *command;
  void (*leaving)(void);
};

/* The module's one function, by the name TULLE_REMOTE_OPEN. Waits until all processes have called it. Null: `why`
   says what is missing. */
typedef struct tulle_remote *(*tulle_remote_open)(const struct tulle_remote_start *start, const char **why);

#ifdef __cplusplus
}
#endif

#endif
