#pragma once
#include <stddef.h>

/// A file of the console.
struct waypost_console_file {
    const char *_Nonnull name;
    const char *_Nonnull type;
    const unsigned char *_Nonnull bytes;
    size_t count;
};

/// Returns the files of the console, and sets their number.
const struct waypost_console_file *_Nonnull waypost_console_files(size_t *_Nonnull count);
