#pragma once

// crypt(3) of Debian's libcrypt, whose working memory is too large for a value of Swift.

#include <stddef.h>

/// Hashes a phrase with the method, rounds and salt of a setting, which may be an earlier hash.
///
/// Returns 0, or -1 when libcrypt refuses the phrase or the setting, or the result is longer than `size`.
int ccrypt_hash(const char *phrase, const char *setting, char *hash, size_t size);
