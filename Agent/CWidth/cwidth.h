#pragma once
#include <wchar.h>

/* The headers declare it only for programs that ask for X/Open. */
extern int wcwidth(wchar_t character);
