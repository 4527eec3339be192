import Testing

@testable import campaigns

@Suite struct UnsyncedWritesTests {
    private static func ranges(_ trace: String) -> [Range<Int>] {
        UnsyncedWrites(trace.split(separator: "\n"), suffix: "-wal").ranges
    }

    @Test func writesAfterTheLastSyncAreUnsynced() {
        let trace = """
            10 pwrite64(7</data/waypost.sqlite-wal>, ""..., 24, 32) = 24
            10 fdatasync(7</data/waypost.sqlite-wal>) = 0
            10 pwrite64(7</data/waypost.sqlite-wal>, ""..., 24, 4152) = 24
            10 pwrite64(8</data/waypost.sqlite>, ""..., 4096, 0) = 4096
            11 pwrite64(7</data/waypost.sqlite-wal>, ""..., 4096, 4176 <unfinished ...>
            11 <... pwrite64 resumed>)          = 4096
            10 +++ killed by SIGKILL +++
            """
        #expect(Self.ranges(trace) == [4152..<4176, 4176..<8272])
    }

    @Test(arguments: [
        ("10 <... fdatasync resumed>) = 0", true),
        ("10 <... fdatasync resumed>) = ?", false),
        ("10 +++ killed by SIGKILL +++", false),
        ("11 <... fdatasync resumed>) = 0", false),
    ])
    func syncThatDidNotEndSyncsNothing(_ end: String, isSynced: Bool) {
        let trace = """
            10 pwrite64(7</data/waypost.sqlite-wal>, ""..., 24, 32) = 24
            10 fdatasync(7</data/waypost.sqlite-wal> <unfinished ...>
            \(end)
            """
        #expect(Self.ranges(trace).isEmpty == isSynced)
    }

    @Test func syncOfAnotherFileSyncsNothing() {
        let trace = """
            10 pwrite64(7</data/waypost.sqlite-wal>, ""..., 24, 32) = 24
            10 fdatasync(8</data/waypost.sqlite>) = 0
            10 fdatasync(7</data/waypost.sqlite-wal>) = ?
            """
        #expect(Self.ranges(trace) == [32..<56])
    }
}
