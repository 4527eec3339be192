import GatewayStore
import Testing
import WaypostSchema

@Suite struct ReadTests {
    private var records = GatewayRecords.example
    private let sequences: [Int]

    init() {
        records.take(.example("n1"), .example("n2"), .example("other", to: "laptop"), .example("n3", to: "phone"))
        records.take(.example("n4"), .example("n5", to: "phone"), as: "later")
        sequences = records.stored("home").map(\.sequence)
    }

    private mutating func page(after cursor: Int, limit: Int) -> [NotificationID] {
        records.read("home", after: cursor, limit: limit, at: .noon).page.map(\.notification.id)
    }

    @Test(
        arguments: [
            (1, [["n1"], ["n2"], ["n3"], ["n4"], ["n5"]]),
            (2, [["n1", "n2"], ["n3", "n4"], ["n5"]]),
            (5, [["n1", "n2", "n3", "n4", "n5"]]),
            (.max, [["n1", "n2", "n3", "n4", "n5"]]),
        ] as [(Int, [[NotificationID]])]
    )
    mutating func pagesFollowEachOther(limit: Int, _ pages: [[NotificationID]]) {
        var read: [[NotificationID]] = []
        var cursor = 0
        while let last = records.read("home", after: cursor, limit: limit, at: .noon).page.last {
            read.append(page(after: cursor, limit: limit))
            cursor = last.sequence
        }
        #expect(read == pages)
    }

    @Test mutating func readingTakesNothingAway() {
        #expect(page(after: 0, limit: 2) == ["n1", "n2"])
        #expect(page(after: 0, limit: 2) == ["n1", "n2"])
        #expect(records.inbox("home").count == 5)
    }

    @Test(arguments: [0, 1, 2, 3, 4])
    mutating func pageBeginsBehindTheCursor(index: Int) {
        let ids: [NotificationID] = ["n1", "n2", "n3", "n4", "n5"]
        #expect(page(after: sequences[index], limit: .max) == Array(ids[(index + 1)...]))
        #expect(page(after: sequences[index] - 1, limit: .max) == Array(ids[index...]))
    }

    @Test(arguments: [Int.min, -1, 0])
    mutating func cursorBeforeEverythingReadsEverything(cursor: Int) {
        #expect(page(after: cursor, limit: .max).count == 5)
    }

    @Test mutating func cursorBehindEverythingReadsNothing() {
        #expect(page(after: sequences[4] + 1_000, limit: .max).isEmpty)
        #expect(page(after: .max, limit: .max).isEmpty)
    }

    @Test mutating func pageOfNoLengthIsEmpty() {
        #expect(page(after: 0, limit: 0).isEmpty)
    }

    @Test mutating func cursorMayBeOfWhatIsGone() {
        _ = records.acknowledge("home", [sequences[1]])
        #expect(page(after: sequences[1], limit: 2) == ["n3", "n4"])
    }

    @Test(
        arguments: [
            ([0], ["n2", "n3", "n4"]),
            ([1, 3], ["n1", "n3", "n5"]),
            ([0, 1, 2], ["n4", "n5"]),
            ([3, 4], ["n1", "n2", "n3"]),
            ([0, 1, 2, 3, 4], []),
        ] as [([Int], [NotificationID])]
    )
    mutating func pageIsFullAcrossGaps(acknowledged: [Int], _ page: [NotificationID]) {
        _ = records.acknowledge("home", acknowledged.map { sequences[$0] })
        #expect(self.page(after: 0, limit: 3) == page)
    }

    @Test mutating func unknownAgentHasNothing() {
        let (page, changes) = records.read("nobody", after: 0, limit: .max, at: .noon)
        #expect(page.isEmpty)
        #expect(changes == GatewayRecords.Changes())
    }
}
