internal import GRDB

/// A look at a store's file through a connection that cannot write, before anything is written.
///
/// It sees what is in the log too, which the file's header does not: a newer gateway may have crashed before it copied
/// its migration there.
struct StoreInspection {
    /// How thoroughly a file is checked.
    enum Check: String {
        /// That its pages are well-formed and belong together.
        case quick = "quick_check"

        /// That its indexes agree with its tables, too.
        case whole = "integrity_check"
    }

    private let queue: DatabaseQueue

    /// The version of the file's schema.
    let version: Int

    /// How many bytes there are to check.
    let bytes: Int

    /// Opens the file at `path` for reading.
    init(path: String, busyTimeout: Double) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(busyTimeout)
        queue = try DatabaseQueue(path: path, configuration: configuration)
        (version, bytes) = try queue.read { database in
            let number = { (pragma: String) in try Int.fetchOne(database, sql: "PRAGMA \(pragma)") ?? 0 }
            return (try number("user_version"), try number("page_count") * number("page_size"))
        }
    }

    /// Returns the first thing that is wrong with the file; `nil` where nothing is.
    func firstFinding(of check: Check) throws -> String? {
        let finding = try queue.read { try String.fetchOne($0, sql: "PRAGMA \(check.rawValue)(1)") }
        return finding == "ok" ? nil : finding ?? "the check says nothing"
    }

    /// Ends the look.
    func close() throws {
        try queue.close()
    }
}
