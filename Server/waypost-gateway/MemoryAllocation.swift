import CMalloc

/// The settings of glibc's memory allocator.
enum MemoryAllocation {
    /// Limits the number of arenas.
    ///
    /// By default, glibc makes up to eight of them for each core. Memory that one thread allocates and another one
    /// frees then fragments them all, so that a gateway under load grows for hours.
    static func limitArenas() {
        mallopt(M_ARENA_MAX, 2)
    }
}
