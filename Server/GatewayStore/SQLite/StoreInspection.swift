internal import GRDB

/// A look at a store's file through a connection that cannot write, before anything is written.
///
/// It sees what is in the log too, which the file's header does not: a newer gateway may have crashed before it copied
/// its migration there.
struct StoreInspection {
    private let queue: DatabaseQueue

    /// The version of the file's schema.
    let version: Int

    /// Opens the file at `path` for reading.
    init(path: String, patience: Double) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(patience)
        queue = try DatabaseQueue(path: path, configuration: configuration)
        version = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
    }

    /// Returns the first thing that is wrong with the file; `nil` where nothing is.
    func firstFinding() throws -> String? {
        let finding = try queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") }
        return finding == "ok" ? nil : finding ?? "the check says nothing"
    }

    /// Ends the look.
    func close() throws {
        try queue.close()
    }
}
