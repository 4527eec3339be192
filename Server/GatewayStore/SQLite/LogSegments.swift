internal import GRDB

/// The parts of a namespace's log in which something is, one after another.
///
/// A segment has 16,384 sequences, and the indexes of the log begin with it: what comes together stands together in them,
/// and whoever looks something up asks segment by segment.
struct LogSegments {
    /// What holds for what is in a segment of a namespace.
    static let condition = "log.namespace = ? AND log.sequence >> 14 = ?"

    private static let bits = 14

    private let namespace: Int
    private let isBackward: Bool
    private let lower: Int
    private var bound: Int

    /// Begins behind the sequence `lower`, or goes back to it from the newest.
    init(in namespace: Int, after lower: Int = .min, isBackward: Bool) {
        self.namespace = namespace
        self.isBackward = isBackward
        self.lower = lower
        bound = isBackward ? .max : lower
    }

    /// Returns the next segment; `nil` where there is none.
    mutating func next(_ database: Database) throws -> Int? {
        let statement = try database.cachedStatement(sql: isBackward ? Self.previousSQL : Self.nextSQL)
        let sequence = try Int.fetchOne(statement, arguments: [namespace, bound])
        guard let sequence, sequence > lower else { return nil }
        let segment = sequence >> Self.bits
        bound = isBackward ? segment << Self.bits : (segment + 1) << Self.bits - 1
        return segment
    }

    private static let nextSQL =
        "SELECT sequence FROM log WHERE namespace = ? AND sequence > ? ORDER BY sequence LIMIT 1"

    private static let previousSQL =
        "SELECT sequence FROM log WHERE namespace = ? AND sequence < ? ORDER BY sequence DESC LIMIT 1"
}
