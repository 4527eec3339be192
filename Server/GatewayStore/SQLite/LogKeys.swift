internal import Foundation
internal import GRDB
internal import WaypostSchema

/// A value by which a notification is looked up in the log.
enum LogKey {
    /// The identifier of the notification.
    case id(NotificationID)

    /// The number of its device.
    case device(Int)

    /// The token that it was sent to, which no device had.
    case token(DeviceToken)

    /// The trace that it belongs to.
    case trace(TraceID)

    /// The column with the value, or the expression for it.
    var column: String {
        switch self {
        case .id: "id"
        case .device: "device"
        case .token: "token"
        case .trace: Self.traceSQL
        }
    }

    /// The value in the column.
    var value: any DatabaseValueConvertible {
        switch self {
        case .id(let id): id.databaseText
        case .device(let device): device
        case .token(let token): token.databaseText
        case .trace(let trace): trace.rawValue
        }
    }

    /// The hash of the value.
    var hash: LogKeyHash {
        switch self {
        case .id(let id): .id(id.databaseText.utf8)
        case .device(let device): .device(device)
        case .token(let token): .token(token.databaseText.utf8)
        case .trace(let trace): .trace(trace.rawValue.utf8)
        }
    }

    /// The trace identifier in a `traceparent`.
    static let traceSQL = "substr(traceparent, 4, 32)"
}

/// The hash of a `LogKey`: FNV-1a with 64 bits, over a letter for the kind and the bytes of the value.
///
/// Hashes are in the files of stores, so their definition must never change.
struct LogKeyHash: Equatable {
    /// The number of buckets that the keys of a segment are divided into.
    static let bucketCount = 16

    private let value: UInt64

    private init(_ kind: Unicode.Scalar, _ bytes: some Sequence<UInt8>) {
        let start = (0xCBF2_9CE4_8422_2325 ^ UInt64(kind.value)) &* Self.prime
        value = bytes.reduce(start) { ($0 ^ UInt64($1)) &* Self.prime }
    }

    /// The hash of an identifier.
    static func id(_ bytes: some Sequence<UInt8>) -> Self { Self("i", bytes) }

    /// The hash of a device's number.
    static func device(_ number: Int) -> Self {
        Self("d", (0..<8).lazy.map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
    }

    /// The hash of a token.
    static func token(_ bytes: some Sequence<UInt8>) -> Self { Self("t", bytes) }

    /// The hash of a trace identifier.
    static func trace(_ bytes: some Sequence<UInt8>) -> Self { Self("r", bytes) }

    private static let prime: UInt64 = 0x100_0000_01B3

    /// The number of the key's bucket.
    var bucket: Int {
        Int(value >> 32) % Self.bucketCount
    }

    /// The part of the hash that a bucket contains.
    var storedBits: UInt32 {
        UInt32(truncatingIfNeeded: value)
    }
}

/// The keys of a segment, by bucket: 6 bytes for each key of each entry, in little-endian order.
///
/// These are the lower half of the key's hash (4), and the distance of the entry from the start of the segment (2).
/// Other keys may have the same hash, so a reader compares the keys of the entries that it finds. An index of SQLite
/// would take ten times as long to write, because it adds each key at its own place.
struct LogKeyBuckets {
    private static let entryLength = 6

    private var buckets = [[UInt8]](repeating: [], count: LogKeyHash.bucketCount)

    /// Adds a key of the entry at a distance from the start of the segment.
    mutating func add(_ hash: LogKeyHash, at distance: Int) {
        let bits = hash.storedBits.littleEndian
        let offset = UInt16(truncatingIfNeeded: distance).littleEndian
        withUnsafeBytes(of: bits) { buckets[hash.bucket] += $0 }
        withUnsafeBytes(of: offset) { buckets[hash.bucket] += $0 }
    }

    /// The buckets that are not empty, with their numbers.
    var nonEmptyBuckets: [(number: Int, bytes: [UInt8])] {
        buckets.enumerated().filter { !$0.element.isEmpty }.map { ($0.offset, $0.element) }
    }

    /// Returns the distances of the entries that may have a key, in ascending order, from the bytes of its bucket.
    static func distances(of hash: LogKeyHash, in bytes: [UInt8]) -> [Int] {
        let starts = stride(from: 0, through: bytes.count - entryLength, by: entryLength)
        let distances = starts.compactMap { start -> Int? in
            let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32($1 * 8) }
            return bits == hash.storedBits ? Int(bytes[start + 4]) | Int(bytes[start + 5]) << 8 : nil
        }
        return distances.sorted()
    }
}

extension LogSegment {
    /// Returns the sequences of the entries that may have a key, in ascending order.
    ///
    /// The newest segments have no index yet, so their entries are compared one by one.
    func sequences(of key: LogKey, isIndexed: Bool, _ database: Database) throws -> [Int] {
        guard isIndexed else { return try scan(for: key, database) }
        let sql = "SELECT entries FROM log_name WHERE namespace = ? AND segment = ? AND bucket = ?"
        let bucket = try database.rows(sql, [namespace, number, key.hash.bucket]) { [UInt8]($0[0] as Data) }.first
        return LogKeyBuckets.distances(of: key.hash, in: bucket ?? []).map { sequences.lowerBound + $0 }
    }

    private func scan(for key: LogKey, _ database: Database) throws -> [Int] {
        try LogTable.allCases.filter { $0.mayContain(key) }.flatMap { table in
            try database.rows(
                """
                SELECT sequence FROM \(table) WHERE +namespace = ? AND sequence BETWEEN ? AND ? AND \(key.column) = ?
                """,
                [namespace, sequences.lowerBound, sequences.upperBound, key.value]
            ) { $0[0] as Int }
        }.sorted()
    }
}

/// Methods that index the keys in the log.
extension StoreTransaction {
    /// Indexes the segments below `limit` that are not indexed yet.
    mutating func indexSegments(before limit: Int) throws {
        let numbers = try database.rows(
            "SELECT DISTINCT segment FROM log_segment WHERE is_indexed = 0 AND segment < ?",
            [limit]
        ) { $0[0] as Int }
        for number in numbers { try indexSegment(number) }
    }

    /// Indexes a segment in all namespaces.
    private func indexSegment(_ number: Int) throws {
        let sequences = LogSegment(namespace: 0, number: number).sequences
        var bucketsByNamespace: [Int: LogKeyBuckets] = [:]
        for table in LogTable.allCases {
            let token = table == .log ? "token" : "NULL"
            var rows = try BoundStatement(
                database,
                """
                SELECT namespace, sequence, device, id, \(token), \(LogKey.traceSQL) FROM \(table)
                WHERE sequence BETWEEN ? AND ?
                """
            )
            rows.bind(sequences.lowerBound)
            rows.bind(sequences.upperBound)
            while let row = try rows.next() {
                let distance = (row.integer(1) ?? 0) - sequences.lowerBound
                let add = { bucketsByNamespace[row.integer(0) ?? 0, default: LogKeyBuckets()].add($0, at: distance) }
                if let device = row.integer(2) { add(.device(device)) }
                row.withText(3) { add(.id($0)) }
                row.withText(4) { add(.token($0)) }
                row.withText(5) { add(.trace($0)) }
            }
        }
        for (namespace, buckets) in bucketsByNamespace {
            for (bucket, bytes) in buckets.nonEmptyBuckets {
                try execute(
                    "INSERT OR REPLACE INTO log_name VALUES (?, ?, ?, ?)",
                    [namespace, number, bucket, Data(bytes)]
                )
            }
        }
        try execute("UPDATE log_segment SET is_indexed = 1 WHERE segment = ? AND is_indexed = 0", [number])
    }
}
