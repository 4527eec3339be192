#pragma once
#include <sqlite3.h>

// Swift cannot call functions with a variable number of arguments.

static inline int waypost_sqlite_count_memory(int counts) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, counts);
}

// Keeps a connection from copying the write-ahead log into the database when it is closed as the last one.
static inline int waypost_sqlite_keep_log_on_close(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
