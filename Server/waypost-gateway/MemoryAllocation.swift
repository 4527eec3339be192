import CMalloc
import CSQLite

/// The settings of the allocators of glibc and SQLite, to be made before anything else.
enum MemoryAllocation {
    static func configure() {
        limitArenas()
        stopCounting()
        reserveSlots()
    }

    /// Limits the number of arenas.
    ///
    /// By default, glibc makes up to eight of them for each core. Memory that one thread allocates and another one
    /// frees then fragments them all, so that a gateway under load grows for hours.
    private static func limitArenas() {
        mallopt(M_ARENA_MAX, 2)
    }

    /// Makes SQLite keep no statistics of its memory: they cost a lock for each allocation, and nobody reads them.
    private static func stopCounting() {
        _ = waypost_sqlite_count_memory(0)
    }

    /// Makes each connection reserve half a megabyte for what its statements need while they run.
    ///
    /// The statements that GRDB keeps fill SQLite's 40 standard slots, and then every execution allocates.
    private static func reserveSlots() {
        _ = waypost_sqlite_reserve_slots(1_200, 400)
    }
}
