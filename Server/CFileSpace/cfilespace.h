#pragma once
#include <linux/falloc.h>
#include <sys/types.h>

// The C library declares it only with _GNU_SOURCE, which Swift does not set.
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);

// The size of the file stays.
static inline int waypost_reserve_space(int descriptor, off_t offset, off_t length) {
    return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, offset, length);
}
