internal import Foundation
internal import LocalFiles

/// The file `commits`, in which the store notes after each commit, before anyone is answered, how far it has come.
///
/// It is written over in place and not synced: it costs one system call, and a crash of the process leaves it whole. Where
/// the machine crashes it may be older than the database, which means nothing; where it is newer, commits that were
/// answered are missing from the database.
struct CommitFile: Sendable {
    private let file: OpenFile

    /// Opens the file at `path`, an empty one where there is none.
    init(path: String) throws(SystemError) {
        file = try OpenFile(path: path, O_RDWR | O_CREAT)
    }

    /// Returns the note in the file; `nil` where there is none that checks.
    func read() throws(SystemError) -> CommitNote? {
        CommitNote(bytes: try file.read(upTo: CommitNote.length + 1))
    }

    /// Writes `note` over the one before; `false` where that failed.
    @discardableResult
    func write(_ note: CommitNote) -> Bool {
        file.overwrite(with: note.bytes)
    }

    /// Waits until the file is on the disk; `false` where that failed.
    func sync() -> Bool {
        (try? file.sync()) != nil
    }
}

/// What the file `commits` says beside the database: how far it had come when somebody was answered last.
///
/// 56 bytes: a mark, five numbers of 8 bytes each, the lowest byte first, and a checksum over all of that. What does not
/// check is no note, so that a torn or foreign file is unknown instead of wrong.
struct CommitNote: Sendable, Equatable {
    /// The bytes of a note.
    static let length = 56

    private static let mark: [UInt8] = Array("waypost\u{1}".utf8)

    /// The database's counters.
    var counters: StoreCounters

    /// Whether pages are being copied from the log into the database.
    var isCheckpointing: Bool

    /// Creates the value from its parts.
    init(counters: StoreCounters, isCheckpointing: Bool = false) {
        self.counters = counters
        self.isCheckpointing = isCheckpointing
    }

    /// Reads a note; `nil` where `bytes` are none.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes.starts(with: Self.mark) else { return nil }
        let words = stride(from: Self.mark.count, to: Self.length, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        guard words[5] == Self.checksum(bytes.dropLast(8)) else { return nil }
        let numbers = words.prefix(4).compactMap(Int.init(exactly:))
        guard numbers.count == 4 else { return nil }
        counters = StoreCounters(
            commits: numbers[0],
            sequence: numbers[1],
            agents: numbers[2],
            batches: numbers[3]
        )
        isCheckpointing = words[4] != 0
    }

    /// The note as it stands in the file.
    var bytes: [UInt8] {
        let numbers = [counters.commits, counters.sequence, counters.agents, counters.batches, isCheckpointing ? 1 : 0]
        let body = numbers.reduce(into: Self.mark) { $0 += Self.bytes(of: UInt64(bitPattern: Int64($1))) }
        return body + Self.bytes(of: Self.checksum(body[...]))
    }

    private static func bytes(of word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }

    /// FNV-1a with 64 bits: enough against accidents, which is all that it is for.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
