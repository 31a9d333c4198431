#pragma once

// Line editing by Debian's libedit, whose calls take variable arguments that Swift cannot make. The editor never reads and
// never writes: it asks for single bytes and hands over the bytes that it would print, so its owner decides about waiting.

#include <stddef.h>
#include <stdint.h>

/// An editor of one line at a time.
struct cedit;

/// The two keys that ask the owner about the line.
enum cedit_question {
  /// TAB: what the word at the cursor may become.
  CEDIT_COMPLETE = 0,
  /// `?`: what may stand at the cursor.
  CEDIT_EXPLAIN = 1,
};

/// The owner's functions; each gets `context`.
struct cedit_owner {
  void *context;
  /// The next byte of the keyboard, which it waits for; negative: no line is wanted any more.
  int (*next_byte)(void *context);
  /// Takes bytes for the screen.
  void (*print)(void *context, const char *bytes, size_t count);
  /// Answers a key with `cedit_insert` and `cedit_redraw`.
  void (*ask)(void *context, int question);
};

/// Makes an editor.
///
/// `terminal` is a pseudo-terminal that nothing else uses: libedit sets its modes and asks it for the size of the screen.
/// `kind` is the name of the real terminal in the terminfo database. NULL and errno when there is no memory.
struct cedit *cedit_open(
  const char *program, const char *kind, int terminal, size_t line_max, size_t history_max,
  const struct cedit_owner *owner);
void cedit_close(struct cedit *edit);

/// Reads a line without its end; the text is valid until the next call. NULL when the owner wanted no line any more, or at
/// the key Ctrl-D on an empty line; `*is_end` tells the two apart.
const char *cedit_read(struct cedit *edit, const char *prompt, int *is_end);

/// The text of the line so far, cut off at `size`; returns its length in bytes and puts the cursor's place into `*cursor`.
size_t cedit_line(struct cedit *edit, char *text, size_t size, size_t *cursor);
/// Inserts text at the cursor.
void cedit_insert(struct cedit *edit, const char *text);
/// Draws prompt and line again from the first column on, with a new prompt when it is not NULL.
void cedit_redraw(struct cedit *edit, const char *prompt);
/// Takes over the size of the screen.
void cedit_resized(struct cedit *edit);
/// Adds a line to the history.
void cedit_remember(struct cedit *edit, const char *line);
