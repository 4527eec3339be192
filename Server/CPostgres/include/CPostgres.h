#pragma once

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

// Loads libpq, at the first call. Returns NULL, or the reason why it cannot be used.
// No function of libpq may be called before this has returned NULL.
const char *waypost_load_libpq(void);
