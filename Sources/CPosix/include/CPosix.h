#pragma once

// Parts of Linux that Swift's importer does not import, as functions of plain numbers. Functions return -1 and set
// `errno` like the calls they wrap. No kernel header may be included here: its `termios` would clash with
// the C library's in every Swift file.

#include <stddef.h>
#include <stdint.h>

/// The system's own words for an error, cut off at `size`.
void cposix_describe_error(int code, char *text, size_t size);

/// Closes a descriptor, which must not be negative, and counts it if it was in a group.
void cposix_close(int descriptor);
/// Counts a descriptor that was closed by other means, and that may have been in a group.
void cposix_count_closed(void);
/// How many descriptors were counted.
uint64_t cposix_closed_count(void);
/// Notes that a descriptor was added to a group.
void cposix_note_grouped(int descriptor);

/// One entry of a poll set; laid out like `struct pollfd`.
struct cposix_poll_entry {
  int32_t descriptor;
  int16_t events;
  int16_t happened;
};

/// Waits for at most `timeout_ns` nanoseconds; negative waits for ever.
int cposix_poll(struct cposix_poll_entry *entries, size_t count, int64_t timeout_ns);
/// A descriptor that is readable while a descriptor that was added to it is.
int cposix_poll_group_open(void);
/// Watches a descriptor for the events of a poll entry.
int cposix_poll_group_add(int group, int descriptor, int16_t events);
/// Waits for at most `timeout_ns` nanoseconds; returns 0 after that time, 1 at an event, and -1 with `errno`.
int cposix_poll_group_wait(int group, int64_t timeout_ns);
/// Puts the numbers of the ready descriptors into `numbers`, at most 16 and at most `count`; returns how many there are.
int cposix_poll_group_ready(int group, int32_t *numbers, size_t count);
/// Asks the processor to fetch the code between `cposix_hot_begin` and `cposix_hot_end`, if it lies together.
void cposix_prefetch_hot_code(void);
/// The longest delay (in nanoseconds) of this thread's wake-ups, which saves wake-ups.
int cposix_set_timer_slack(uint64_t nanoseconds);

/// A descriptor that becomes readable when the wall clock is set.
int cposix_clock_watch_open(void);
/// Arms it again after it has become readable.
int cposix_clock_watch_arm(int descriptor);

/// Names this thread, as `ps -L` shows it; 15 bytes of it.
void cposix_name_thread(const char *name);

/// A counter that is readable while it is not zero; non-blocking, closed on exec.
int cposix_event_open(void);

/// 1 when the kernel reports the wall clock as synchronized, else 0.
int cposix_clock_is_synchronized(void);

/// The kernel's bound (in microseconds) of the wall clock's error; -1 when the kernel gives none.
int64_t cposix_clock_error_max(void);
/// The kind of file system that a path is on, a number of <linux/magic.h>.
int cposix_file_system(const char *path, uint64_t *kind);

/// The value of an environment variable; NULL when it is unset, and in a program that runs with other rights than its caller's.
const char *cposix_environment(const char *name);

/// The bytes that the allocator holds and the program does not use.
size_t cposix_memory_unused(void);
/// Gives unused memory back to the kernel, also that of this thread's stack below the caller.
void cposix_memory_trim(void);
/// Makes all threads share the allocator's first arena; call it before the first thread starts.
void cposix_memory_share_arena(void);

/// A descriptor that becomes readable when a name in a directory comes or goes, or the directory itself goes.
int cposix_directory_watch_open(const char *path);
/// A descriptor that becomes readable when a process opens or closes a file; drained as the one above.
int cposix_open_watch_open(const char *path);
/// Takes what has happened since the last call; 1 when the directory itself has gone, else 0.
int cposix_directory_watch_drain(int descriptor);

/// A pipe whose ends are closed on exec.
int cposix_pipe(int ends[2], int non_blocking);
/// The read end of a pipe to which every one of these signals writes its number; one per process at a time.
int cposix_signals_open(const int *numbers, size_t count);
/// Restores the default action of these signals and closes the pipe's write end.
void cposix_signals_close(const int *numbers, size_t count);
/// The result of `cposix_signals_open`; -1 when no signals are caught.
int cposix_signals_descriptor(void);
/// 1 if the process ignores a signal, as its parent may have arranged with nohup(1); else 0.
int cposix_signal_is_ignored(int number);
/// Stops the process by SIGTSTP, also if the signal is caught; returns when the process is continued.
void cposix_suspend(void);
/// Ignores SIGPIPE, so that writing to a closed pipe is an error and does not end the process.
void cposix_ignore_broken_pipes(void);

/// The longest path that a local socket can have, in bytes.
size_t cposix_local_path_max(void);
/// A non-blocking SOCK_SEQPACKET socket of the local family.
int cposix_local_socket(void);
/// A local socket whose ends exchange a stream of bytes.
int cposix_local_stream_socket(void);
/// Binds to a path; errno is ENAMETOOLONG for one that does not fit.
int cposix_local_bind(int descriptor, const char *path);
/// Connects to a path. While the queue of the listener is full, the call waits for room, so many nanoseconds. errno is EAGAIN
/// if there is no room then; with 0, at once.
int cposix_local_connect(int descriptor, const char *path, int64_t patience);
/// 1 if the far end is closed and has left nothing to read, else 0.
int cposix_local_is_abandoned(int descriptor);
/// Accepts one connection; it is non-blocking and closed on exec.
int cposix_local_accept(int descriptor);
/// Sends one packet without SIGPIPE.
ptrdiff_t cposix_local_send(int descriptor, const void *bytes, size_t count);
/// Receives one packet; returns its whole length even when that is more than `count`.
ptrdiff_t cposix_local_receive(int descriptor, void *bytes, size_t count);
/// Sends one packet together with a copy of a descriptor.
ptrdiff_t cposix_local_send_descriptor(int descriptor, const void *bytes, size_t count, int sent);
/// Receives one packet as `cposix_local_receive` does; `*received` is the descriptor that came with it, else -1. Further
/// descriptors are closed.
ptrdiff_t cposix_local_receive_descriptor(int descriptor, void *bytes, size_t count, int *received);
/// The user and process at the far end, recorded when it connected.
int cposix_local_peer(int descriptor, uint32_t *user, int32_t *process);
/// The groups of the process at the far end, recorded when it connected: its own group first. Fails with ERANGE when there
/// are more than `count`; returns how many there are.
ptrdiff_t cposix_local_peer_groups(int descriptor, uint32_t *groups, size_t count);
/// A descriptor of the process at the far end, like that of `cposix_process_watch`; fails with ENOPROTOOPT
/// before Linux 6.5.
int cposix_local_peer_watch(int descriptor);
/// Sends one datagram to a local socket, waiting no longer than that for room in it; a name that begins with '@'
/// is in the abstract namespace.
int cposix_local_datagram(
  const char *name, const void *bytes, size_t count, int32_t milliseconds);

/// The number of a user by name; -1 when there is none, errno is 0 then.
int64_t cposix_user_number(const char *name);
/// The number of a user by name, from a file such as /etc/passwd; -1 when there is none.
int64_t cposix_local_user_number(const char *path, const char *name);
/// The number of a group by name; -1 when there is none, errno is 0 then.
int64_t cposix_group_number(const char *name);
/// Ticks in a second of the times in /proc/PID/stat.
int64_t cposix_ticks_per_second(void);
/// A descriptor of a process that becomes readable when the process ends.
int cposix_process_watch(int32_t process);

/// Sends a signal to the process of a process descriptor.
int cposix_process_signal(int watch, int number);
/// How a child has ended: 1 and its status or signal, 0 while it runs, -1 when it is no child of this process.
int cposix_process_reap(int32_t process, int *is_killed, int *value);
/// 1 when this process may become other users (CAP_SETUID and CAP_SETGID), else 0.
int cposix_may_change_user(void);

/// An entry of the user database; the texts are in the caller's room.
struct cposix_user {
  uint32_t user;
  uint32_t group;
  const char *name;
  const char *home;
  const char *shell;
};
/// Looks a user up by name, or by number when there is no name; -1 when there is none, errno is 0 then.
int cposix_user_entry(
  const char *name, uint32_t number, struct cposix_user *user, char *text, size_t size);
/// All groups of a user; fails with ERANGE when there are more than `count`; returns how many there are.
ptrdiff_t cposix_user_groups(const char *name, uint32_t group, uint32_t *groups, size_t count);

/// The steps of a launched child that may fail.
enum cposix_launch_step {
  CPOSIX_LAUNCH_DESCRIPTORS = 1,
  CPOSIX_LAUNCH_SESSION = 2,
  CPOSIX_LAUNCH_USER = 3,
  CPOSIX_LAUNCH_DIRECTORY = 4,
  CPOSIX_LAUNCH_PROGRAM = 5,
};

/// A program to start in a session of its own, without capabilities, and with no descriptor but the standard ones.
struct cposix_launch_plan {
  const char *program;
  char *const *arguments;
  char *const *environment;
  /// The working directory; `/` when it cannot be entered.
  const char *directory;
  /// The descriptor that becomes the child's standard output and error output.
  int output;
  /// Whether the child takes the user and the groups below.
  int changes_user;
  uint32_t user;
  uint32_t group;
  const uint32_t *groups;
  size_t group_count;
};

/// A child that waits for its parent.
struct cposix_launched {
  int32_t process;
  /// A process descriptor.
  int watch;
  /// One byte written to it lets the child run the program; when it is closed without a byte, the child ends.
  int gate;
  /// A `cposix_launch_failure` with what follows it when the program cannot be run; the end when it runs. Non-blocking.
  int failure;
};

/// The failure of a child, with what the child finds about its program as its own user. The first bytes of the program follow.
struct cposix_launch_failure {
  /// One of `cposix_launch_step`.
  int32_t step;
  int32_t error;
  /// The length of the first part of the program's path that cannot be entered, or of the whole path if there is no file;
  /// 0: the file is found.
  uint32_t blocked;
  int32_t blocked_error;
  /// The file's `st_mode`; 0: unknown.
  uint32_t mode;
  /// Whether the child may execute the file, by its permissions.
  uint32_t is_executable;
  /// Whether the file system is mounted with `noexec`.
  uint32_t is_noexec;
};

/// Makes the child, which waits at the gate.
int cposix_launch(const struct cposix_launch_plan *plan, struct cposix_launched *launched);

/// Opens a pseudo-terminal's near end; the far end's name is put into `name`.
int cposix_pseudo_terminal_open(char *name, size_t size);

/// The settings of a terminal, large enough for the kernel's own structure.
struct cposix_terminal_settings {
  uint64_t words[12];
};

/// Reads all settings, to be restored later.
int cposix_terminal_get(int descriptor, struct cposix_terminal_settings *settings);
/// Sets all settings at once.
int cposix_terminal_set(int descriptor, const struct cposix_terminal_settings *settings);
/// Makes the line raw: 8 data bits, no parity, 1 stop bit, no flow control, modem lines ignored.
int cposix_terminal_make_raw(int descriptor, uint32_t speed);
/// Sets any speed in baud, standard or not, and no other setting.
int cposix_terminal_set_speed(int descriptor, uint32_t speed);
/// The speed in baud, or -1; on a pseudo-terminal's near end that of the far end.
int64_t cposix_terminal_speed(int descriptor);
/// 1 when the line is raw 8N1 as `cposix_terminal_make_raw` leaves it, else 0.
int cposix_terminal_is_raw(int descriptor);
/// Refuses (1) or allows (0) further opens by anyone but root.
int cposix_terminal_set_exclusive(int descriptor, int is_exclusive);
/// How many bytes wait to be sent.
int cposix_terminal_output_queued(int descriptor);
/// How many bytes have come in and wait to be read.
int cposix_terminal_input_queued(int descriptor);
/// 1 when the transmitter is empty, 0 when it is not, -1 when the driver does not report it.
int cposix_terminal_transmitter_empty(int descriptor);
/// Discards unread input.
int cposix_terminal_flush_input(int descriptor);

/// The UART's counters since the board started.
struct cposix_line_errors {
  uint32_t framing;
  uint32_t overrun;
  uint32_t parity;
  uint32_t broken;
  uint32_t buffer_overrun;
};

/// Reads the counters; -1 where the driver has none.
int cposix_terminal_errors(int descriptor, struct cposix_line_errors *errors);

/// The number of a device: major and minor.
int cposix_device_number(int descriptor, uint32_t *major, uint32_t *minor);

/// The size of a terminal in characters; 0 where it is unknown, as on a serial line.
int cposix_terminal_window(int descriptor, uint16_t *columns, uint16_t *rows);
int cposix_terminal_set_window(int descriptor, uint16_t columns, uint16_t rows);
/// 1 when a terminal gives its program whole lines, 0 when it gives single keys, -1 for other files.
int cposix_terminal_reads_lines(int descriptor);
/// Discards output that waits in the kernel.
int cposix_terminal_flush_output(int descriptor);
/// Gives single keys without echo and signals, and adds carriage returns to output: 8N1, no flow control, modem lines ignored.
int cposix_terminal_make_console(int descriptor);
/// Shows or hides typed keys, and discards unread ones.
int cposix_terminal_set_echo(int descriptor, int is_shown);

/// A child with a terminal of its own.
struct cposix_terminal_child {
  int32_t process;
  /// A process descriptor.
  int watch;
  /// The near end of the child's terminal, non-blocking.
  int terminal;
};

/// Runs a program in a session of its own, with a new terminal as its standard streams; line feeds come without carriage returns.
/// The file `inherited`, if it is not negative, is descriptor 3 of the program.
int cposix_terminal_child_start(
  const char *program, char *const *arguments, char *const *environment, uint16_t columns,
  uint16_t rows, int inherited, struct cposix_terminal_child *child);

/// Makes a file without a name that only this process and its children have, with these bytes.
int cposix_secret_file(const void *bytes, size_t count);
