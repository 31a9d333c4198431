// Nothing is called: OneCopy.c runs when the library is loaded.
