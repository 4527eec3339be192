import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import GatewayStore

/// Tests of a truncated write-ahead log, which a crash can leave on a disk that loses confirmed writes.
@Suite struct WalTruncationTests {
    /// The size of the log's header, in bytes.
    private static let headerLength = 32
    /// The size of the frame of each page, in bytes.
    private static let frameLength = 24 + 4_096

    /// A store after several commits, with its state after each.
    private struct History {
        /// The state of the log and the inbox after a confirmed commit.
        struct Moment {
            let logLength: Int
            let counters: StoreCounters
            let inbox: [NotificationID]
        }

        let sqlite: SQLiteExample
        let moments: [Moment]
        let image: ScratchFolder

        init() async throws {
            sqlite = try await SQLiteExample()
            // The devices are then in the database, so the log contains only the following commits.
            try sqlite.reopen()
            var moments = [try await Self.moment(of: sqlite)]
            for batch in 0..<8 {
                let notifications = (0...batch % 4).map { item in
                    NewNotification.example(
                        NotificationID(rawValue: "\(batch).\(item)"),
                        collapseID: item == 3 ? "c" : nil
                    )
                }
                let batch = NewBatch(id: BatchID(rawValue: "\(batch)"), notifications: notifications)
                _ = try await sqlite.store.append(batch, at: .noon)
                moments.append(try await Self.moment(of: sqlite))
            }
            self.moments = moments
            image = try sqlite.crashImage()
        }

        private static func moment(of sqlite: SQLiteExample) async throws -> Moment {
            Moment(
                logLength: try sqlite.length(of: .log),
                counters: try await sqlite.store.read { try StoreCounters.fetch($0) },
                inbox: try await sqlite.example.inbox()
            )
        }

        /// The boundaries of all frames, and some lengths between them.
        var lengths: [Int] {
            let end = moments.last?.logLength ?? 0
            let boundaries = Array(
                stride(from: WalTruncationTests.headerLength, through: end, by: WalTruncationTests.frameLength)
            )
            return Set([0, 1] + boundaries.flatMap { [$0 - 1, $0, $0 + 1, $0 + 24, $0 + 2_000] })
                .filter { $0 <= end }.sorted()
        }

        /// Opens the image with its log truncated to `length`.
        func open(cutTo length: Int) throws -> (opened: OpenedStore, folder: ScratchFolder) {
            let folder = try ScratchFolder()
            for file in StoreFile.allCases {
                let bytes = try Data(contentsOf: URL(filePath: image.path(of: file.rawValue)))
                _ = try folder.write(file == .log ? bytes.prefix(length) : bytes, to: file.rawValue)
            }
            return (try SQLiteStore.open(in: folder), folder)
        }

        /// Returns the state that remains if the log is truncated to `length`.
        func moment(at length: Int) -> Moment? {
            moments.last { $0.logLength <= length } ?? moments.first
        }
    }

    @Test func truncatedLogLeavesAnEarlierStateAndIsReported() async throws {
        let history = try await History()
        let last = try #require(history.moments.last)
        #expect(history.lengths.count > 40)
        for length in history.lengths {
            let (opened, folder) = try history.open(cutTo: length)
            let left = try #require(history.moment(at: length))
            let example = history.sqlite.example.moved(to: opened.store)
            #expect(try await example.inbox() == left.inbox, "\(length)")
            let lostCount = last.counters.commitCount - left.counters.commitCount
            #expect(opened.report.lostCommits?.count ?? 0 == lostCount, "\(length)")
            #expect((opened.report.lostCommits == nil) == (length >= last.logLength), "\(length)")
            try await example.take(.example("next"), as: "next")
            #expect(try await example.sequence(of: "next") == last.counters.lastSequence + 1, "\(length)")
            withExtendedLifetime(folder) {}
        }
    }

    @Test func logThatGrewAfterTheLastAnswerLosesNothing() async throws {
        let history = try await History()
        let end = try #require(history.moments.last).logLength
        let image = history.image.path(of: StoreFile.log.rawValue)
        let bytes = try Data(contentsOf: URL(filePath: image))
        for tail in [Data(repeating: 0, count: 10_000), bytes.suffix(5_000), Data("torn".utf8)] {
            try (bytes + tail).write(to: URL(filePath: image))
            let (opened, folder) = try history.open(cutTo: end + tail.count)
            #expect(opened.report.lostCommits == nil)
            #expect(try await history.sqlite.example.moved(to: opened.store).inbox() == history.moments.last?.inbox)
            withExtendedLifetime(folder) {}
        }
    }
}
