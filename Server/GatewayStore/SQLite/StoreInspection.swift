internal import GRDB

/// An inspection of a store's file through a read-only connection, before anything is written.
///
/// It includes the write-ahead log, which the file's header does not: a newer gateway may have crashed before it copied
/// its migration into the file.
struct StoreInspection {
    /// The thoroughness of a check.
    enum Check: String {
        /// Checks that the pages are well-formed and belong together.
        case quick = "quick_check"

        /// Also checks that the indexes match their tables.
        case whole = "integrity_check"
    }

    private let queue: DatabaseQueue

    /// The version of the file's schema.
    let version: Int

    /// The number of bytes to check.
    let byteCount: Int

    /// Opens the file at `path` for reading.
    init(path: String, busyTimeout: Double) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(busyTimeout)
        queue = try DatabaseQueue(path: path, configuration: configuration)
        (version, byteCount) = try queue.read { database in
            let value = { (pragma: String) in try Int.fetchOne(database, sql: "PRAGMA \(pragma)") ?? 0 }
            return (try value("user_version"), try value("page_count") * value("page_size"))
        }
    }

    /// Returns the first problem with the file; `nil` if there is none.
    func firstFinding(of check: Check) throws -> String? {
        let finding = try queue.read { try String.fetchOne($0, sql: "PRAGMA \(check.rawValue)(1)") }
        return finding == "ok" ? nil : finding ?? "the check returned nothing"
    }

    /// Returns the first part of the file that no gateway has written, although it is well-formed; `nil` if there is
    /// none.
    ///
    /// A trigger could remove what the gateway has confirmed, an index could refuse what it stores, and counters out of
    /// range could stop it.
    func firstForeignPart() throws -> String? {
        // The schema of a new file may not be written yet, and that of a newer one is not ours.
        guard (1...Migrations.version).contains(version) else { return nil }
        let expectedSchema = try StoreSchema(version: version)
        return try queue.read { database in
            let difference = try StoreSchema(of: database).firstDifference(from: expectedSchema)
            if let difference { return difference }
            let areCountersValid = try Bool.fetchOne(
                database,
                sql: """
                    SELECT count(*) = 1 AND min(commits, sequence, agents, batches) >= 0
                        AND max(commits, sequence, agents, batches) <= \(Self.maximumCount)
                    FROM store
                    """
            )
            return areCountersValid == true ? nil : "its counters are missing or out of range"
        }
    }

    /// The maximum of a counter, which JSON can represent exactly; no store ever reaches it.
    private static let maximumCount = 1 << 53

    /// Closes the connection.
    func close() throws {
        try queue.close()
    }
}
