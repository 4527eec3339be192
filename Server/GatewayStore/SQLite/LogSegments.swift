internal import GRDB

/// A segment of a namespace's log: all its entries with a certain range of sequences.
///
/// Notifications of other namespaces may have sequences in the same range.
struct LogSegment: Hashable {
    /// The number of sequences in a segment, as a power of two.
    static let bits = 12

    /// Returns the number of the segment that contains a sequence.
    static func number(of sequence: Int) -> Int {
        sequence >> bits
    }

    /// The number of the namespace.
    var namespace: Int

    /// The number of the segment.
    var number: Int

    /// The sequences of the segment.
    var sequences: ClosedRange<Int> {
        number << Self.bits...(number + 1) << Self.bits - 1
    }
}

/// The non-empty segments of a namespace's log, one after another.
struct LogSegments {
    private let namespace: Int
    private let isBackward: Bool
    private let firstNumber: Int
    private var nextNumber: Int?

    /// Creates the iteration over the segments from that of the first sequence after `lower` to the newest one, or
    /// in the opposite direction if `isBackward`.
    init(in namespace: Int, after lower: Int = 0, isBackward: Bool) {
        self.namespace = namespace
        self.isBackward = isBackward
        firstNumber = LogSegment.number(of: lower + 1)
        nextNumber = isBackward ? .max : firstNumber
    }

    /// Returns the next segment, and whether its keys can be looked up in `log_name`; `nil` at the end.
    mutating func next(_ database: Database) throws -> (segment: LogSegment, isIndexed: Bool)? {
        guard let firstSegment = nextNumber else { return nil }
        let sql = isBackward ? Self.previousSQL : Self.nextSQL
        let row = try database.rows(sql, [namespace, firstSegment]) { ($0[0] as Int, $0[1] as Bool) }.first
        guard let (number, isIndexed) = row, number >= firstNumber else { return nil }
        nextNumber = isBackward ? number - 1 : number + 1
        return (LogSegment(namespace: namespace, number: number), isIndexed)
    }

    private static let nextSQL = """
        SELECT segment, is_indexed FROM log_segment WHERE namespace = ? AND segment >= ? ORDER BY segment LIMIT 1
        """

    private static let previousSQL = """
        SELECT segment, is_indexed FROM log_segment WHERE namespace = ? AND segment <= ? ORDER BY segment DESC LIMIT 1
        """
}

/// Methods for the segments of the log.
extension StoreTransaction {
    /// Adds the segments of the sequences of a new batch, and indexes the segments before them, which are complete.
    mutating func addLogSegments(of sequences: ClosedRange<Int>, in namespace: Int) throws {
        let last = LogSegment.number(of: sequences.upperBound)
        guard cache.lastSegments[namespace] != last else { return }
        for number in LogSegment.number(of: sequences.lowerBound)...last {
            try execute("INSERT OR IGNORE INTO log_segment (namespace, segment) VALUES (?, ?)", [namespace, number])
        }
        cache.setLastSegment(last, of: namespace)
        try indexSegments(before: LogSegment.number(of: sequences.lowerBound))
    }

    /// Updates the earliest end in a segment after one of its notifications ended.
    ///
    /// Only the earliest end of each segment is stored, so most calls write nothing.
    mutating func updateSegmentEnd(of sequence: Int, in namespace: Int, at time: Int) throws {
        let segment = LogSegment(namespace: namespace, number: LogSegment.number(of: sequence))
        if let earliest = cache.earliestEndTimes[segment], earliest <= time { return }
        try execute(Self.lowerEarliestEndSQL, [segment.namespace, segment.number, time])
        cache.setEarliestEnd(time, of: segment)
    }

    private static let lowerEarliestEndSQL = """
        INSERT INTO log_segment (namespace, segment, earliest_end) VALUES (?1, ?2, ?3)
        ON CONFLICT (namespace, segment) DO UPDATE SET earliest_end = min(coalesce(earliest_end, ?3), ?3)
        """

    /// Deletes the entries that ended at `time` or before, but at most `limit`; returns their batches.
    mutating func pruneEntries(of namespace: Int, endedBy time: Int, limit: Int) throws -> [Int] {
        var batches: [Int] = []
        while batches.count < limit, let segment = try segmentWithEnd(by: time, in: namespace) {
            let range = segment.sequences
            batches += try database.rows(
                Self.deleteEntriesSQL,
                [namespace, range.lowerBound, range.upperBound, time, limit - batches.count]
            ) { $0[0] as Int }
            if batches.count < limit { try updateAfterPruning(segment) }
        }
        return batches
    }

    private func segmentWithEnd(by time: Int, in namespace: Int) throws -> LogSegment? {
        try database.rows(
            "SELECT segment FROM log_segment WHERE namespace = ? AND earliest_end <= ? LIMIT 1",
            [namespace, time]
        ) { LogSegment(namespace: namespace, number: $0[0]) }.first
    }

    private static let deleteEntriesSQL = """
        DELETE FROM log WHERE sequence IN (
            SELECT sequence FROM log WHERE namespace = ?1 AND sequence BETWEEN ?2 AND ?3 AND ended <= ?4 LIMIT ?5
        ) RETURNING batch
        """

    /// Finds the earliest end in a segment again, and deletes the segment if it is complete and empty.
    private mutating func updateAfterPruning(_ segment: LogSegment) throws {
        let range = segment.sequences
        let arguments: StatementArguments = [segment.namespace, segment.number, range.lowerBound, range.upperBound]
        try execute(Self.recomputeEarliestEndSQL, arguments)
        cache.removeEarliestEnd(of: segment)
        guard range.upperBound <= counters.lastSequence else { return }
        try execute(Self.deleteEmptySegmentSQL, arguments)
        guard database.changesCount > 0 else { return }
        try execute("DELETE FROM log_name WHERE namespace = ? AND segment = ?", [segment.namespace, segment.number])
    }

    private static let recomputeEarliestEndSQL = """
        UPDATE log_segment SET earliest_end =
            (SELECT min(ended) FROM log WHERE namespace = ?1 AND sequence BETWEEN ?3 AND ?4)
        WHERE namespace = ?1 AND segment = ?2
        """

    private static let deleteEmptySegmentSQL = """
        DELETE FROM log_segment WHERE namespace = ?1 AND segment = ?2
            AND NOT EXISTS (SELECT 1 FROM log WHERE namespace = ?1 AND sequence BETWEEN ?3 AND ?4)
            AND NOT EXISTS (SELECT 1 FROM item WHERE +namespace = ?1 AND sequence BETWEEN ?3 AND ?4)
        """
}
