#pragma once
#include <sqlite3.h>

// Swift cannot call a function with a variable number of arguments.
static inline int waypost_sqlite_count_memory(int counts) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, counts);
}
