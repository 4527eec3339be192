import Testing

@testable import GatewayStore

/// The decisions of `StoreSpace` on a disk with a limited number of free bytes.
@Suite struct StoreSpaceTests {
    private static let pageSize = 1_000
    private static let reserve = 10_000

    /// A disk as a value; a file never gives space back.
    private final class Disk {
        var freeBytes: Int
        var isSupported = true
        private(set) var ranges: [Range<Int>] = []

        init(freeBytes: Int) {
            self.freeBytes = freeBytes
        }

        func reserve(_ range: Range<Int>) -> StoreSpace.ReservationResult {
            guard isSupported else { return .unsupported }
            guard range.count <= freeBytes else { return .full }
            freeBytes -= range.count
            ranges.append(range)
            return .reserved
        }
    }

    private let disk = Disk(freeBytes: 1_000_000)
    private var space = StoreSpace(databaseReserve: Self.reserve, logReserve: 40_000)

    private mutating func admits(_ pages: Int, free: Int = 0, adding: Bool) -> Bool {
        let pageUse = StoreSpace.PageUse(count: pages, freeCount: free, size: Self.pageSize)
        let disk = disk
        return space.admits(pageUse, addsSomething: adding) { disk.reserve($1) }
    }

    @Test mutating func smallCommitsShareAReservation() {
        for pages in 1...5 {
            let isAdmitted = admits(pages, adding: true)
            #expect(isAdmitted)
        }
        #expect(disk.ranges == [0..<40_000, 0..<30_000])
        #expect(space.hasRoom)
    }

    @Test mutating func commitThatNeedsMoreThanTheDiskHasIsRefused() {
        disk.freeBytes = 90_000
        let isFirstAdmitted = admits(10, adding: true)
        let isLargeAdmitted = admits(100, adding: true)
        let isLargeAcknowledgementAdmitted = admits(100, adding: false)
        #expect(isFirstAdmitted && !isLargeAdmitted && !isLargeAcknowledgementAdmitted)
        #expect(!space.hasRoom)
    }

    @Test mutating func fullDiskAdmitsOnlyWhatAddsNothing() {
        disk.freeBytes = 70_000
        let isFirstAdmitted = admits(5, adding: true)
        let isAdditionAdmitted = admits(25, adding: true)
        let isAcknowledgementAdmitted = admits(25, adding: false)
        #expect(isFirstAdmitted && !isAdditionAdmitted && isAcknowledgementAdmitted)
        #expect(!space.hasRoom)
    }

    @Test mutating func freePagesAreRoom() {
        disk.freeBytes = 70_000
        let isFirstAdmitted = admits(5, adding: true)
        let isAdditionAdmitted = admits(25, adding: true)
        let isDeletionAdmitted = admits(25, free: 20, adding: false)
        #expect(isFirstAdmitted && !isAdditionAdmitted && isDeletionAdmitted)
        #expect(space.hasRoom)
    }

    @Test mutating func fullDiskNeedsTwiceTheReserveBeforeItHasRoomAgain() {
        disk.freeBytes = 70_000
        _ = admits(5, adding: true)
        _ = admits(25, adding: true)
        let isAdmitted = admits(15, adding: true)
        #expect(!isAdmitted && !space.hasRoom)
        disk.freeBytes = 10_000
        let isAdmittedLater = admits(15, adding: true)
        #expect(isAdmittedLater && space.hasRoom)
    }

    @Test mutating func checkpointReleasesTheReserve() {
        _ = admits(5, adding: true)
        space.recordCheckpoint(databaseLength: 5_000)
        disk.freeBytes = 0
        let isAcknowledgementAdmitted = admits(5, adding: false)
        let isAdditionAdmitted = admits(5, adding: true)
        #expect(isAcknowledgementAdmitted && !isAdditionAdmitted)
    }

    @Test mutating func fullDiskKeepsTheReserveForWhatAddsNothing() {
        _ = admits(5, adding: true)
        space.recordCheckpoint(databaseLength: 5_000)
        disk.freeBytes = 12_000
        let isAcknowledgementAdmitted = admits(5, adding: false)
        #expect(isAcknowledgementAdmitted && !space.hasRoom)
        disk.freeBytes = 0
        let isLaterAcknowledgementAdmitted = admits(15, adding: false)
        let isAdditionAdmitted = admits(15, adding: true)
        #expect(isLaterAcknowledgementAdmitted && !isAdditionAdmitted)
    }

    @Test mutating func failedCheckpointRefusesAdditionsUntilOneSucceeds() {
        _ = admits(5, adding: true)
        space.recordFailedCheckpoint()
        let isAdmitted = admits(5, adding: true)
        let isAcknowledgementAdmitted = admits(5, adding: false)
        #expect(!isAdmitted && isAcknowledgementAdmitted)
        space.recordCheckpoint(databaseLength: 5_000)
        let isAdmittedLater = admits(5, adding: true)
        #expect(isAdmittedLater)
    }

    @Test mutating func truncatedLogIsReservedAgain() {
        _ = admits(5, adding: true)
        space.recordLogTruncation()
        disk.freeBytes = 39_999
        let isAdmitted = admits(5, adding: true)
        #expect(!isAdmitted)
    }

    /// XFS and ZFS compare the whole length with what is free, also if the file has the space already.
    @Test mutating func existingPagesAreReservedInSmallParts() {
        let pageUse = StoreSpace.PageUse(count: 500, freeCount: 0, size: Self.pageSize)
        var ranges: [Range<Int>] = []
        space.reserveExistingPages(pageUse) { _, range in
            ranges.append(range)
            return range.count <= Self.reserve ? .reserved : .full
        }
        #expect(ranges.first == 0..<Self.reserve)
        #expect(ranges.last?.upperBound == 500_000)
        #expect(ranges.count == 50)
        let isAdmitted = admits(500, adding: true)
        #expect(isAdmitted && disk.ranges.last == 500_000..<520_000)
    }

    @Test mutating func existingPagesAreNotReservedOnADiskWithoutRoom() {
        let pageUse = StoreSpace.PageUse(count: 500, freeCount: 0, size: Self.pageSize)
        var count = 0
        space.reserveExistingPages(pageUse) { _, _ in
            count += 1
            return .full
        }
        #expect(count == 1)
    }

    @Test mutating func fileSystemWithoutReservationsRefusesNothing() {
        disk.isSupported = false
        let isAdmitted = admits(5_000, adding: true)
        #expect(isAdmitted && space.hasRoom)
    }

    @Test(
        arguments: [
            (StoreCounters(commitCount: 1), false), (StoreCounters(lastSequence: 1), true),
            (StoreCounters(lastAgentNumber: 1), true), (StoreCounters(lastBatchNumber: 1), true),
        ]
    )
    func newNumbersAreAdditions(_ counters: StoreCounters, isAddition: Bool) {
        #expect(counters.hasNewNumbers(since: StoreCounters()) == isAddition)
    }
}
