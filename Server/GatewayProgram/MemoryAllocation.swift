internal import CMalloc
internal import CSQLite

/// The settings of the allocators of glibc and SQLite, to be made before anything else.
enum MemoryAllocation {
    static func configure() {
        limitArenas()
        disableSQLiteStatistics()
    }

    /// Gives freed memory of all arenas back to the system.
    static func release() {
        _ = malloc_trim(0)
    }

    /// Limits the number of arenas.
    ///
    /// By default, glibc makes up to eight of them for each core. Memory that one thread allocates and another one
    /// frees then fragments them all, so that a gateway under load grows for hours.
    private static func limitArenas() {
        mallopt(M_ARENA_MAX, 2)
    }

    /// Makes SQLite keep no statistics of its memory: they cost a lock for each allocation, and nobody reads them.
    private static func disableSQLiteStatistics() {
        _ = waypost_sqlite_count_memory(0)
    }
}
