#pragma once
#include <sqlite3.h>

// Swift cannot call a function with a variable number of arguments.

// Sets the size and the number of the slots that each connection reserves for small, short-lived data.
static inline int waypost_sqlite_reserve_slots(int size, int count) {
    return sqlite3_config(SQLITE_CONFIG_LOOKASIDE, size, count);
}

static inline int waypost_sqlite_count_memory(int counts) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, counts);
}
