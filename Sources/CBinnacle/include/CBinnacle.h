// OneCopy.c has no function: it runs when the library is loaded.

// From now on the C library writes each line to standard output at once, also to a pipe.
void binnacle_print_by_lines(void);
