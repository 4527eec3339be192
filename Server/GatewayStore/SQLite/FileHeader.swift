/// What the first bytes of a database say (https://www.sqlite.org/fileformat2.html, 1.3).
///
/// They tell a file that is not ours, or is newer, before SQLite touches it. A store writes them to a new file before
/// anything else, and again after each migration.
struct FileHeader: Equatable {
    /// How many bytes there are.
    static let length = 100

    private static let mark = Array("SQLite format 3\u{0}".utf8)

    /// The schema's version (`PRAGMA user_version`).
    let version: Int

    /// Whose file it is (`PRAGMA application_id`).
    let applicationID: Int32

    /// Reads the bytes; `nil` where they are no database's.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes.starts(with: Self.mark) else { return nil }
        let word = { (start: Int) in bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
        version = Int(Int32(bitPattern: word(60)))
        applicationID = Int32(bitPattern: word(68))
    }
}
