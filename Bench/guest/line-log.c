// Notes each change of a line of a simulated chip, as it is seen outside of the chip.
//
//   line-log LOG NAME VALUE_PATTERN [PULL_PATTERN]
//
// A change is a line "MONOTONIC_NS lamp NAME 0|1" of LOG, as "binnacle-sim board --log" writes it. The file that matches
// VALUE_PATTERN is read each millisecond; the time is that after the reading, so the change was before it. A file that is
// absent counts as 0: its chip is unplugged. With PULL_PATTERN a second line of the chip is wired to the first one: its pull
// follows.

#define _GNU_SOURCE
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int open_match(const char *pattern, int flags) {
  glob_t found;
  int number = -1;
  if (!glob(pattern, 0, NULL, &found) && found.gl_pathc > 0) number = open(found.gl_pathv[0], flags | O_CLOEXEC);
  globfree(&found);
  return number;
}

static void pull(const char *pattern, int level) {
  const char *word = level ? "pull-up" : "pull-down";
  int number = open_match(pattern, O_WRONLY);
  if (number < 0) return;
  if (write(number, word, strlen(word)) < 0) perror("line-log: pull");
  close(number);
}

int main(int count, char **words) {
  if (count < 4) return 64;
  FILE *log = fopen(words[1], "ae");
  if (!log) {
    perror(words[1]);
    return 1;
  }
  const char *follower = count > 4 ? words[4] : NULL;
  int value = -1, last = 0;
  for (;;) {
    char text = '0';
    if (value < 0 && (value = open_match(words[3], O_RDONLY)) >= 0 && follower) pull(follower, last);
    if (value >= 0 && pread(value, &text, 1, 0) != 1) {
      close(value);
      value = -1;
      text = '0';
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int level = text == '1';
    if (level != last) {
      if (follower) pull(follower, level);
      fprintf(log, "%lld lamp %s %d\n", now.tv_sec * 1000000000LL + now.tv_nsec, words[2], level);
      fflush(log);
      last = level;
    }
    usleep(1000);
  }
}
