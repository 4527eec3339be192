internal import LocalFiles

/// The contents of the file `commits`: the counters of the database when a caller last got a result.
///
/// The store overwrites the file in place after each commit, before any caller gets a result, and does not sync it.
/// This costs one system call, and the file survives a crash of the process. After a crash of the machine it may be
/// older than the database, which is harmless. If it is newer, the database has lost confirmed commits.
///
/// It has 56 bytes: a signature, four little-endian numbers and flags of 8 bytes each, and a checksum of all of these.
/// If the checksum is wrong, there is no record, so a torn or foreign file counts as unknown instead of giving wrong
/// numbers.
struct CommitRecord: Sendable, Equatable {
    /// The length of a record in bytes.
    static let length = 56

    private static let signature: [UInt8] = Array("waypost\u{1}".utf8)

    /// Reads the record in a file; `nil` if there is none, or its checksum is wrong.
    static func read(_ file: OpenFile) throws(SystemError) -> CommitRecord? {
        CommitRecord(bytes: try file.read(upTo: length + 1))
    }

    /// The counters of the database.
    var counters: StoreCounters

    /// Whether a checkpoint is copying pages from the write-ahead log into the database.
    var isCheckpointing: Bool

    /// Whether a sync failed, so that the disk may lack parts of the write-ahead log which the system has in memory.
    var hasFailedSync: Bool

    /// Creates the value from its parts.
    init(counters: StoreCounters, isCheckpointing: Bool = false, hasFailedSync: Bool = false) {
        self.counters = counters
        self.isCheckpointing = isCheckpointing
        self.hasFailedSync = hasFailedSync
    }

    /// Reads a record; returns `nil` if `bytes` are not a record.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes.starts(with: Self.signature) else { return nil }
        let words = stride(from: Self.signature.count, to: Self.length, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        guard words[5] == Self.checksum(bytes.dropLast(8)) else { return nil }
        let numbers = words.prefix(4).compactMap(Int.init(exactly:))
        guard numbers.count == 4 else { return nil }
        counters = StoreCounters(
            commitCount: numbers[0],
            lastSequence: numbers[1],
            lastAgentNumber: numbers[2],
            lastBatchNumber: numbers[3]
        )
        isCheckpointing = words[4] & Self.checkpointFlag != 0
        hasFailedSync = words[4] & Self.failedSyncFlag != 0
    }

    /// The record as stored in the file.
    var bytes: [UInt8] {
        let numbers = [
            counters.commitCount, counters.lastSequence, counters.lastAgentNumber, counters.lastBatchNumber,
        ]
        let flags = (isCheckpointing ? Self.checkpointFlag : 0) | (hasFailedSync ? Self.failedSyncFlag : 0)
        let words = numbers.map { UInt64(bitPattern: Int64($0)) } + [flags]
        let body = words.reduce(into: Self.signature) { $0 += Self.bytes(of: $1) }
        return body + Self.bytes(of: Self.checksum(body[...]))
    }

    private static let checkpointFlag: UInt64 = 1

    /// A downgrade after a failed sync is not safe: gateways without this flag take every flag for an interrupted
    /// checkpoint, check what the system has in memory, and copy the log with its gap on the disk.
    private static let failedSyncFlag: UInt64 = 2

    private static func bytes(of word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }

    /// The 64-bit FNV-1a hash, which is enough to detect accidental damage.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
