#define _GNU_SOURCE
#include "CEdit.h"

#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

struct cedit {
  struct cedit_owner owner;
  EditLine *line;
  History *history;
  FILE *screen;
  FILE *nothing;
  size_t line_max;
  char prompt[160];
  char *copy;
  int is_over;
};

static ssize_t print(void *cookie, const char *bytes, size_t count) {
  struct cedit *edit = cookie;
  edit->owner.print(edit->owner.context, bytes, count);
  return (ssize_t)count;
}

static struct cedit *of(EditLine *line) {
  void *edit = NULL;
  el_get(line, EL_CLIENTDATA, &edit);
  return edit;
}

static char *prompt(EditLine *line) { return of(line)->prompt; }

// libedit calls abort for a greater number, which the former UTF-8 of five and six bytes has and the C library still decodes.
static const wchar_t character_max = 0x10ffff;

/// libedit asks for a whole character. Bytes that make none, and characters beyond the longest line, are left out.
static int next_character(EditLine *line, wchar_t *character) {
  struct cedit *edit = of(line);
  mbstate_t state;
  memset(&state, 0, sizeof state);
  for (;;) {
    int number = edit->owner.next_byte(edit->owner.context);
    if (number < 0) {
      edit->is_over = 1;
      return -1;
    }
    char byte = (char)number;
    size_t length = mbrtowc(character, &byte, 1, &state);
    if (length == (size_t)-2) continue;
    if (length == (size_t)-1) {
      memset(&state, 0, sizeof state);
      continue;
    }
    if (*character > character_max) continue;
    if (length == 0) *character = L'\0';
    const LineInfoW *text = el_wline(line);
    int is_full = (size_t)(text->lastchar - text->buffer) >= edit->line_max;
    if (is_full && *character >= L' ' && *character != 0x7f) continue;
    return 1;
  }
}

static unsigned char ask(EditLine *line, int question) {
  struct cedit *edit = of(line);
  edit->owner.ask(edit->owner.context, question);
  return CC_REFRESH;
}

static unsigned char complete(EditLine *line, int key) {
  (void)key;
  return ask(line, CEDIT_COMPLETE);
}

static unsigned char explain(EditLine *line, int key) {
  (void)key;
  return ask(line, CEDIT_EXPLAIN);
}

static void set_prompt(struct cedit *edit, const char *text) {
  snprintf(edit->prompt, sizeof edit->prompt, "%s", text);
}

struct cedit *cedit_open(
  const char *program, const char *kind, int terminal, size_t line_max, size_t history_max,
  const struct cedit_owner *owner
) {
  // libedit counts characters, and all texts are UTF-8 here.
  setlocale(LC_CTYPE, "C.UTF-8");
  struct cedit *edit = calloc(1, sizeof *edit);
  if (edit == NULL) return NULL;
  edit->owner = *owner;
  edit->line_max = line_max;
  edit->screen = fopencookie(edit, "w", (cookie_io_functions_t){.write = print});
  edit->nothing = fopen("/dev/null", "re");
  if (edit->screen == NULL || edit->nothing == NULL) goto failed;
  edit->history = history_init();
  // libedit reads the kind of terminal from the environment first. A change of the environment disturbs other threads that read it.
  const char *before = getenv("TERM");
  if (before == NULL || strcmp(before, kind) != 0) setenv("TERM", kind, 1);
  edit->line =
    el_init_fd(program, edit->nothing, edit->screen, edit->screen, terminal, terminal, terminal);
  if (edit->line == NULL || edit->history == NULL) goto failed;
  HistEvent event;
  history(edit->history, &event, H_SETSIZE, (int)history_max);
  history(edit->history, &event, H_SETUNIQUE, 1);
  el_set(edit->line, EL_CLIENTDATA, edit);
  el_set(edit->line, EL_PROMPT, prompt);
  el_set(edit->line, EL_EDITOR, "emacs");
  el_set(edit->line, EL_SIGNAL, 0);
  el_set(edit->line, EL_HIST, history, edit->history);
  el_set(edit->line, EL_GETCFN, next_character);
  el_set(edit->line, EL_ADDFN, "complete", "complete the word at the cursor", complete);
  el_set(edit->line, EL_ADDFN, "explain", "list what may stand at the cursor", explain);
  el_set(edit->line, EL_BIND, "^I", "complete", NULL);
  el_set(edit->line, EL_BIND, "?", "explain", NULL);
  el_set(edit->line, EL_BIND, "^R", "em-inc-search-prev", NULL);
  // These keys of the default map would run a shell's editor, suspend, or read commands.
  el_set(edit->line, EL_BIND, "^Z", "ed-unassigned", NULL);
  el_set(edit->line, EL_BIND, "^[x", "ed-unassigned", NULL);
  el_set(edit->line, EL_BIND, "^[X", "ed-unassigned", NULL);
  // These keys would insert more characters than a line may have: the text that was deleted, or a character a million times.
  el_set(edit->line, EL_BIND, "^Y", "ed-unassigned", NULL);
  for (char key[] = "^[0"; key[2] <= '9'; key[2]++) {
    el_set(edit->line, EL_BIND, key, "ed-unassigned", NULL);
  }
  return edit;

failed:
  cedit_close(edit);
  errno = ENOMEM;
  return NULL;
}

void cedit_close(struct cedit *edit) {
  if (edit == NULL) return;
  if (edit->line != NULL) el_end(edit->line);
  if (edit->history != NULL) history_end(edit->history);
  if (edit->screen != NULL) fclose(edit->screen);
  if (edit->nothing != NULL) fclose(edit->nothing);
  free(edit->copy);
  free(edit);
}

const char *cedit_read(struct cedit *edit, const char *prompt, int *is_end) {
  set_prompt(edit, prompt);
  edit->is_over = 0;
  int count = 0;
  const char *text = el_gets(edit->line, &count);
  if (edit->is_over || text == NULL) {
    *is_end = !edit->is_over;
    el_reset(edit->line);
    return NULL;
  }
  *is_end = 0;
  size_t length = (size_t)count;
  while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) length -= 1;
  free(edit->copy);
  edit->copy = strndup(text, length);
  return edit->copy != NULL ? edit->copy : "";
}

size_t cedit_line(struct cedit *edit, char *text, size_t size, size_t *cursor) {
  const LineInfo *line = el_line(edit->line);
  size_t length = (size_t)(line->lastchar - line->buffer);
  *cursor = (size_t)(line->cursor - line->buffer);
  size_t count = length < size ? length : size;
  memcpy(text, line->buffer, count);
  return count;
}

void cedit_insert(struct cedit *edit, const char *text) { el_insertstr(edit->line, text); }

void cedit_redraw(struct cedit *edit, const char *prompt) {
  if (prompt != NULL) set_prompt(edit, prompt);
  el_set(edit->line, EL_REFRESH);
}

void cedit_resized(struct cedit *edit) { el_resize(edit->line); }

void cedit_remember(struct cedit *edit, const char *line) {
  HistEvent event;
  history(edit->history, &event, H_ENTER, line);
}
