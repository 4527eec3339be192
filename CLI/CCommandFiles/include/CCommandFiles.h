#pragma once
#include <stddef.h>

/// A file inside the program.
struct waypost_file {
    /// The path in its folder.
    const char *_Nonnull path;
    const unsigned char *_Nonnull bytes;
    size_t count;
};

/// Returns the files of the demo, and sets their number.
const struct waypost_file *_Nonnull waypost_demo_files(size_t *_Nonnull count);
