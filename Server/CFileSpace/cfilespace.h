#pragma once
#include <linux/falloc.h>

// The C library declares it only with _GNU_SOURCE, which Swift does not set. `long` is its `off_t` on 64-bit systems; its
// header would make the types of the system those of this module.
extern int fallocate(int descriptor, int mode, long offset, long length);

// The size of the file stays.
static inline int waypost_reserve_space(int descriptor, long offset, long length) {
    return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, offset, length);
}
