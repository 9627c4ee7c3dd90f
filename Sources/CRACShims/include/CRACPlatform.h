// The system: all that the library asks of it beyond ISO C and POSIX.1-2008. A
// folder of Sources/CRACShims/platform implements it for one system, and
// nothing else names what that system alone has. docs/Porting.md says more of
// each.
//
// Where nothing else is said, a function that opens something answers a
// descriptor, or an errno with its sign turned; one that does something 0, or
// the same. Times are nanoseconds; deadlines are of CLOCK_MONOTONIC.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_PLATFORM_H
#define CRAC_PLATFORM_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RAC_SHIM_NEVER INT64_MAX

// ---- Threads ----------------------------------------------------------------

// Sleeps while *word == expected; false when the deadline has passed. It may
// wake for no reason.
bool rac_platform_wait(const void *word, uint32_t expected, int64_t deadline);
// The memory of the word may be gone.
void rac_platform_wake(const void *word, int32_t count);
// A number that no other thread of the process has.
uint64_t rac_platform_thread_id(void);
// That of the calling thread, with a NUL.
void rac_platform_thread_name(char name[16]);
bool rac_platform_is_first_thread(void);
// Of the calling thread; up to 15 characters.
void rac_platform_name_thread(const char *name);
// The one that the caller runs on; -1 where the system does not say.
int32_t rac_platform_processor(void);
// A full memory barrier in every thread of the process; false where the system
// has no such call.
bool rac_platform_barrier(void);
// The bounds of the calling thread's stack without its guard; false: not known.
bool rac_platform_find_stack(bool is_first, uintptr_t *low, uintptr_t *high);
// Fills the buffer with random bytes; false when the system has none yet.
bool rac_platform_random(void *buffer, size_t size);

// ---- Memory -----------------------------------------------------------------

// Addresses that read as zeros and take no memory; NULL when there are none.
void *rac_platform_map(size_t size, bool is_writable);
// Gives the memory of pages back: they read as zeros. False: they are as
// before.
bool rac_platform_decommit(void *start, size_t size);
// Gets the memory of pages at once, if that is cheaper than one by one.
void rac_platform_commit(void *start, size_t size);

// ---- Events and timers ------------------------------------------------------

// A descriptor that can be polled: readable once it was posted, until it is
// taken. `counts`: reading eight bytes takes back one post, else all of them.
int rac_platform_event_open(bool counts);
// Safe in a handler of signals.
void rac_platform_event_post(int event);
// Whether it was posted.
bool rac_platform_event_take(int event);

enum { RAC_TIMER_OF_WALL = 1, RAC_TIMER_BLOCKS = 2 };

// Readable once the time has come: of CLOCK_REALTIME with RAC_TIMER_OF_WALL.
int rac_platform_timer_open(uint32_t options);
// 0 turns it off. One of the wall becomes readable when somebody sets the
// clock.
int rac_platform_timer_arm(int timer, uint32_t options, int64_t time);
// 0: the time has come, or the clock was set. -EAGAIN: neither; with
// RAC_TIMER_BLOCKS it sleeps until then.
int rac_platform_timer_take(int timer);

// ---- Polling ----------------------------------------------------------------

// A change to a set of descriptors.
typedef enum rac_poll_change {
  RAC_POLL_ADD,     // reported as long as it is ready
  RAC_POLL_ONCE,    // added: reported once
  RAC_POLL_REARM,   // once more
  RAC_POLL_REMOVE,  // not any more
} rac_poll_change;

// The set is a descriptor itself, readable when one of its own is ready.
int rac_platform_poll_open(void);
int rac_platform_poll_change(int set, rac_poll_change change, int fd,
                             bool writing, uint64_t name);
// The names of those that are ready, and how many; 0 when the deadline has
// passed or a signal came.
int rac_platform_poll_wait(int set, uint64_t *names, int capacity,
                           int64_t deadline);

// ---- Descriptors ------------------------------------------------------------

// Tells one open file from another that has its number later.
typedef struct rac_identity {
  uint64_t device, inode;
} rac_identity;

// Whether it can be read, or written; which file it is.
int rac_platform_look(int fd, bool writing, rac_identity *identity);
// Whether it is still that file.
bool rac_platform_is(int fd, rac_identity identity);
// Another number for the same; -EBADF when it is another file now.
int rac_platform_duplicate(int fd, rac_identity identity);
// Moves a descriptor to a number that another one has, which is closed.
bool rac_platform_renumber(int fd, int number);
// 1: ready, 0: not yet, -EPIPE to write, or no more to read; or an error.
enum { RAC_PLATFORM_OVER = 2 };
int rac_platform_readiness(int fd, bool writing);
// Never waits, unless for a disk. -EAGAIN: there is nothing yet.
int64_t rac_platform_read(int fd, void *buffer, size_t size,
                          bool is_always_ready);

// Kinds of descriptors that are written to.
enum {
  RAC_WRITING_STREAM = 1,     // a connection
  RAC_WRITING_DATAGRAMS = 2,  // a socket that keeps messages apart
  RAC_WRITING_DISK = 3,       // a file that may keep its writer waiting
  RAC_WRITING_OTHER = 4,
  RAC_WRITING_ADDRESSED = 5  // datagrams, of a socket without a peer
};
uint32_t rac_platform_writing(int fd);
typedef struct rac_piece {
  const void *start;
  size_t length;
} rac_piece;
// At most 64 pieces, one of them to a socket of datagrams. How much was
// written. Never waits, unless for a disk, and raises no SIGPIPE.
int64_t rac_platform_write(int fd, const rac_piece *pieces, int count,
                           uint32_t writing);
// The other side reads the end, if it is a connection.
void rac_platform_end_writing(int fd);

// ---- Connections ------------------------------------------------------------

// An address is text: "host:port", "[v6]:port", "unix:/path", "unix:@name" of
// the abstract kind; with "udp:" before it, of datagrams. Which of them;
// -EINVAL: it is none; -ENOSYS: there is nobody to resolve its name.
enum { RAC_ADDRESS_OF_STREAM = 0, RAC_ADDRESS_OF_DATAGRAMS = 1 };
int rac_platform_address_check(const char *text, bool listens);
// Of a socket, or of the other side; "" where there is none.
void rac_platform_address(int fd, bool of_peer, char *text, size_t room);

typedef struct rac_connecting rac_connecting;
// Begins to connect. The descriptor is readable when the next step can be made.
// Names are resolved on a thread of their own.
int rac_platform_connect_open(const char *text, rac_connecting **out);
// The connected socket, which is not closed with this; -EAGAIN: not yet.
int rac_platform_connect_step(rac_connecting *connecting);
// Closes the descriptor, too.
void rac_platform_connect_close(rac_connecting *connecting);

// In place of a unix socket that nobody listens at.
int rac_platform_listen(const char *text, int backlog);
// A connection. -EAGAIN: there is none; -EMFILE: there is no descriptor, or no
// memory for one, now.
int rac_platform_accept(int fd);

// ---- Datagrams --------------------------------------------------------------

// The next one: how much of it there was room for, how long it is, and the
// address of its sender, "" where that has none. Never waits.
int64_t rac_platform_receive(int fd, void *buffer, size_t size, char *from,
                             size_t room, size_t *length);
// Whether it is an address in numbers, or "".
bool rac_platform_is_destination(const char *text);
// One that cannot be delivered there is lost, which is no error. Never waits.
int64_t rac_platform_send_to(int fd, const char *to, const void *start,
                             size_t length);

// ---- Children, changes of files, time zone ----------------------------------

// Readable when the child has ended.
int rac_platform_child_open(int32_t pid);
// 0, and the status as waitpid() gives it; -EAGAIN: it runs.
int rac_platform_child_reap(int fd, int32_t *status);

// The same, and leaves it to be reaped.
int rac_platform_child_look(int fd, int32_t *status);

// A program to start. Without an environment and a directory it has those of the
// parent.
typedef struct rac_program {
  const char *const *environment;
  const char *directory;
  const char *arguments[];
} rac_program;
typedef struct rac_child {
  int ends[3];  // of pipes to its first three descriptors; -1: none
  int exit;     // as rac_platform_child_open()
  int32_t pid;
  int32_t parent;
  bool has_group;  // of its own
} rac_child;
// A bit of `pipes` for each end. Without one its input is empty, and its output
// the parent's. An error of exec is one of this.
int rac_platform_spawn(const rac_program *program, uint32_t pipes,
                       bool has_group, rac_child *child);
// SIGTERM, or SIGKILL, to it or to its group.
void rac_platform_child_signal(const rac_child *child, bool by_force);
// Reaps it, if nobody has and it has ended; or waits until it has.
void rac_platform_child_forget(const rac_child *child, bool waits);

// Masks, whose bits are those of inotify: the changes that are told where
// nobody chooses, and those that can be asked for.
extern const uint32_t rac_platform_files_usual, rac_platform_files_allowed;
int rac_platform_files_open(const char *path, uint32_t mask,
                            rac_identity *identity);
// The content of an event; whether anybody asked for it, and whether it is the
// last.
typedef struct rac_file_change {
  uint32_t mask, cookie;
  const char *name;
  size_t name_length;
  bool is_wanted, is_last;
} rac_file_change;
// Reads the event at `*offset` of a buffer and moves that on.
void rac_platform_files_next(const void *buffer, size_t *offset,
                             const char *path, uint32_t mask,
                             rac_identity identity, rac_file_change *change);

// A file that grows, and is replaced by another one. The descriptor of its news
// is readable at first, when something appears in the directory of the path, and
// when a file has grown that was found there.
typedef struct rac_tailed {
  int fd;  // -1: none
  int watch;
  rac_identity identity;
} rac_tailed;
int rac_platform_tail_open(const char *path, int *directory);
// Takes the news. -ENOENT: the directory is not where it was.
int rac_platform_tail_take(int news, const char *path, int directory);
// 1: another file is at the path, which is opened and watched; 0: the same, or
// none. Look again after 1: it may have been replaced before it was watched.
int rac_platform_tail_look(int news, const char *path, rac_tailed *file);
int64_t rac_platform_tail_size(int fd);
void rac_platform_tail_forget(int news, int watch);

// How far local time is ahead of UTC then, seconds.
int64_t rac_platform_zone(int64_t seconds);

#endif
