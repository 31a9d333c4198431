#define _GNU_SOURCE
#include "CCrypt.h"

#include <crypt.h>
#include <stdlib.h>
#include <string.h>

int ccrypt_hash(const char *phrase, const char *setting, char *hash, size_t size) {
  struct crypt_data *memory = calloc(1, sizeof *memory);
  if (memory == NULL) return -1;
  const char *result = crypt_r(phrase, setting, memory);
  // A failure is NULL, or a text that begins with an asterisk (crypt(3)).
  int answer = -1;
  if (result != NULL && result[0] != '*' && strlen(result) < size) {
    strcpy(hash, result);
    answer = 0;
  }
  // The working memory has the phrase.
  explicit_bzero(memory, sizeof *memory);
  free(memory);
  return answer;
}
