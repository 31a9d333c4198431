// The guest's own sudo, for pages whose commands an ordinary user runs: the command runs as root, without a password.
//
//   sudo PROGRAM [ARGUMENT...]
//
// The scenario installs it with the set-user-ID bit. The environment is kept, except for the path.

#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **words) {
  if (count < 2) {
    fprintf(stderr, "usage: sudo PROGRAM [ARGUMENT...]\n");
    return 64;
  }
  if (setgroups(0, NULL) || setgid(0) || setuid(0)) {
    fprintf(stderr, "sudo: %s\n", strerror(errno));
    return 77;
  }
  setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
  execvp(words[1], words + 1);
  fprintf(stderr, "sudo: %s: %s\n", words[1], strerror(errno));
  return 127;
}
