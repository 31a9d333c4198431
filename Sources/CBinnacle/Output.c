#include "CBinnacle.h"
#include <stdio.h>

void binnacle_print_by_lines(void) { setvbuf(stdout, NULL, _IOLBF, 0); }
