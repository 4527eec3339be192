internal import Dispatch
internal import Foundation
internal import GRDB
internal import LocalFiles
package import WaypostSchema

extension SQLiteStore {
    /// Opens the store in a folder, which is created if it does not exist.
    ///
    /// Nothing is written until the file is known to be a gateway's, in a supported version.
    ///
    /// - Parameters:
    ///   - folder: the path of the folder.
    ///   - tuning: the tuning of the store.
    ///   - onCommit: called with the report of each transaction, before any caller gets a result.
    ///   - onDamage: called with each notification whose payload is not as it was stored, and is not delivered.
    /// - Returns: the store, and the report for the user.
    /// - Throws: `StoreOpeningError`.
    package static func open(
        in folder: String,
        tuning: SQLiteTuning = SQLiteTuning(),
        onCommit: @escaping @Sendable (CommitReport) -> Void = { _ in },
        onDamage: @escaping @Sendable (DamagedPayload) -> Void = { _ in }
    ) throws(StoreOpeningError) -> OpenedStore {
        let folder = StoreFolder(path: folder)
        let file = try folder.lock()
        let commitFile = try folder.openCommitFile()
        try validate(folder.readHeader(), of: folder)
        let lock = try folder.lockDatabase(besides: file)
        unlink(folder.backupPath)
        do {
            return try open(
                folder,
                lock,
                commitFile: commitFile,
                tuning: tuning,
                onDamage: onDamage,
                onCommit: onCommit
            )
        } catch {
            throw StoreOpeningError(error, at: folder.databasePath)
        }
    }

    /// Opens an empty store in memory.
    ///
    /// - Parameters:
    ///   - tuning: the tuning of the store.
    ///   - onCommit: called with the report of each transaction, before any caller gets a result.
    /// - Returns: the store.
    /// - Throws: `StoreOpeningError`.
    package static func inMemory(
        tuning: SQLiteTuning = SQLiteTuning(),
        onCommit: @escaping @Sendable (CommitReport) -> Void = { _ in }
    ) throws(StoreOpeningError) -> SQLiteStore {
        do {
            let database = try DatabaseQueue(configuration: configuration(tuning))
            try Migrations.migrator.migrate(database)
            let writer = StoreWriter(counters: StoreCounters(), log: nil)
            return SQLiteStore(
                writer: database,
                groupCommit: GroupCommit(database, writer, tuning: tuning, onCommit: onCommit),
                lock: nil,
                logRetention: tuning.logRetention
            )
        } catch {
            throw StoreOpeningError(error, at: ":memory:")
        }
    }

    private static func validate(_ header: FileHeader?, of folder: StoreFolder) throws(StoreOpeningError) {
        guard let header else { return }
        guard header.applicationID == Migrations.applicationID else { throw .foreign(path: folder.databasePath) }
        try validate(version: header.version, of: folder)
    }

    private static func validate(version: Int, of folder: StoreFolder) throws(StoreOpeningError) {
        guard version > Migrations.version else { return }
        throw .unsupportedVersion(path: folder.databasePath, version: version, supported: Migrations.version)
    }

    private static func open(
        _ folder: StoreFolder,
        _ lock: FolderLock,
        commitFile: (file: OpenFile, record: CommitRecord?),
        tuning: SQLiteTuning,
        onDamage: @escaping @Sendable (DamagedPayload) -> Void,
        onCommit: @escaping @Sendable (CommitReport) -> Void
    ) throws -> OpenedStore {
        let record = commitFile.record
        // The inspection reads the log, and makes an index of it.
        if record?.hasFailedSync == true { try lock.rewriteLog() }
        let inspection = try inspect(folder, lock, record: record, tuning: tuning)
        let pool = try DatabasePool(path: folder.databasePath, configuration: configuration(tuning))
        // The inspection stays open until here, so that the write-ahead log is not read a second time.
        try inspection?.close()
        // GRDB does not sync each commit. A crash may lose the last migrations, which then run again.
        try Migrations.migrator.migrate(pool)
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        let backupState = BackupState()
        let (writer, lostCommits) = try pool.writeWithoutTransaction { database in
            let counters = try StoreCounters.fetch(database)
            let log = try WriteAheadLog(
                database,
                in: lock,
                commitFile: commitFile.file,
                isCheckpointing: record?.isCheckpointing ?? false,
                lengthLimit: tuning.checkpointThreshold
            ) { backupState.isInProgress }
            var writer = StoreWriter(counters: counters, log: log) { lock.isInPlace }
            let recordedCounters = record?.counters ?? StoreCounters()
            let recover: (inout StoreTransaction) throws -> Void = { transaction in
                transaction.logRetention = tuning.logRetention
                try transaction.recover(above: recordedCounters)
            }
            do {
                try writer.transact(database, recover)
            } catch {
                guard StoreError(error) == .full else { throw error }
                // If commits were lost, the recorded counters are the only copy of the higher ones.
                writer.truncateLog(database, above: recordedCounters)
                try writer.transact(database, recover)
            }
            writer.recordCounters()
            if inspection?.version != Migrations.version || record?.isCheckpointing == true {
                writer.truncateLog(database)
            }
            try writer.startReserving(database)
            if !writer.hasRoom {
                // The file of the log may be longer than needed, and its end may have no room.
                writer.truncateLog(database)
                try writer.startReserving(database)
            }
            return (writer, record.flatMap { LostCommits(of: $0.counters, in: counters) })
        }
        openReaders(of: pool)
        let store = SQLiteStore(
            writer: pool,
            groupCommit: GroupCommit(pool, writer, tuning: tuning, onCommit: onCommit),
            lock: lock,
            backupState: backupState,
            logRetention: tuning.logRetention,
            onDamage: onDamage
        )
        let report = OpeningReport(
            version: Migrations.version,
            lostCommits: lostCommits,
            hasRoom: writer.hasRoom
        )
        return OpenedStore(store: store, report: report)
    }

    /// Opens the connections for reading, which otherwise open when they are needed: the process may have no descriptor
    /// left then.
    ///
    /// A connection that cannot be opened now is opened later.
    private static func openReaders(of pool: DatabasePool) {
        let count = pool.configuration.maximumReaderCount
        let (isOpen, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for _ in 0..<count {
            pool.asyncRead { result in
                // The first read opens the write-ahead log.
                try? result.get().execute(sql: "SELECT 1 FROM sqlite_master LIMIT 1")
                isOpen.signal()
                // A connection that is in use is not used for another read.
                if case .success = result { mayEnd.wait() }
            }
        }
        for _ in 0..<count { isOpen.wait() }
        for _ in 0..<count { mayEnd.signal() }
    }

    private static func inspect(
        _ folder: StoreFolder,
        _ lock: FolderLock,
        record: CommitRecord?,
        tuning: SQLiteTuning
    ) throws -> StoreInspection? {
        guard let header = try folder.readHeader() else {
            try lock.clearDatabase()
            return nil
        }
        if FileManager.default.fileExists(atPath: folder.journalPath) {
            guard record == nil, header.version == 0, !folder.hasLogContents else {
                throw StoreOpeningError.damaged(
                    path: folder.databasePath,
                    finding: """
                        there is a rollback journal beside a database with contents; move \(folder.journalPath) away
                        """
                )
            }
            try rollBackCreation(of: folder, tuning: tuning)
        }
        let inspection = try StoreInspection(path: folder.databasePath, busyTimeout: tuning.busyTimeout)
        try validate(version: inspection.version, of: folder)
        if let check = requiredCheck(inspection, record, tuning: tuning),
            let finding = try inspection.firstFinding(of: check)
        {
            throw StoreOpeningError.damaged(path: folder.databasePath, finding: finding)
        }
        if let finding = try inspection.firstForeignPart() {
            throw StoreOpeningError.damaged(path: folder.databasePath, finding: finding)
        }
        return inspection
    }

    /// Rolls back the transaction that was creating the database when a gateway was killed or the power failed.
    ///
    /// A connection that only reads cannot do it, and so cannot open such a database. SQLite would roll back the journal
    /// of the creation over a database with contents, too, and remove its write-ahead log.
    private static func rollBackCreation(of folder: StoreFolder, tuning: SQLiteTuning) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(tuning.busyTimeout)
        let queue = try DatabaseQueue(path: folder.databasePath, configuration: configuration)
        _ = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
        try queue.close()
    }

    /// Returns the check that the file needs: the whole one after an interrupted checkpoint, none if the file is large.
    private static func requiredCheck(
        _ inspection: StoreInspection,
        _ record: CommitRecord?,
        tuning: SQLiteTuning
    ) -> StoreInspection.Check? {
        if record?.isCheckpointing == true { return .whole }
        return inspection.byteCount <= tuning.maximumCheckedBytes ? .quick : nil
    }

    private static func configuration(_ tuning: SQLiteTuning) -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(tuning.busyTimeout)
        configuration.prepareDatabase { database in
            guard !database.configuration.readonly else { return }
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -16384")
            try database.keepLogOnClose()
            if try Int.fetchOne(database, sql: "PRAGMA application_id") == 0 {
                try database.execute(sql: "PRAGMA application_id = \(Migrations.applicationID)")
            }
        }
        return configuration
    }
}

extension LostCommits {
    /// Creates the report of lost commits; `nil` if the database with `counters` has lost none.
    init?(of recorded: StoreCounters, in counters: StoreCounters) {
        guard recorded.commitCount > counters.commitCount else { return nil }
        self.init(
            count: recorded.commitCount - counters.commitCount,
            firstMissingAfter: counters.lastSequence,
            lastSequence: recorded.lastSequence
        )
    }
}

extension StoreOpeningError {
    /// Describes an error with the file at `path`.
    init(_ error: any Error, at path: String) {
        if let openingError = error as? StoreOpeningError {
            self = openingError
        } else if let error = error as? DatabaseError, [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
            self = .damaged(path: path, finding: error.message ?? "it cannot be read")
        } else {
            switch StoreError(error) {
            case .full: self = .full(path: path)
            case .readOnly: self = .notWritable(path: path)
            case .busy: self = .locked(path: path)
            case .overloaded: self = .failed(path: path, reason: "overloaded")
            case .moved: self = .failed(path: path, reason: "it was removed or replaced")
            case .unavailable, .outcomeUnknown: self = .failed(path: path, reason: "the disk failed")
            case .failed(let reason): self = .failed(path: path, reason: reason)
            }
        }
    }
}

/// An opened store, and the report for the user.
package struct OpenedStore: Sendable {
    /// The store.
    package let store: SQLiteStore

    /// The report for the user.
    package let report: OpeningReport
}

/// A notification whose payload is not as it was stored.
package struct DamagedPayload: Sendable, Equatable {
    /// The identifier of the notification.
    package let id: NotificationID

    /// The sequence of the notification.
    package let sequence: Int
}

/// A report about opening a store.
package struct OpeningReport: Sendable, Equatable {
    /// The version of the file's schema.
    package let version: Int

    /// The confirmed commits that are missing, if any.
    package let lostCommits: LostCommits?

    /// Whether there is room on the disk for further notifications.
    package var hasRoom = true
}

/// Confirmed commits that are missing, because the disk lost data that it had reported as written.
package struct LostCommits: Sendable, Equatable, CustomStringConvertible {
    /// The number of missing commits.
    package let count: Int

    /// The last sequence that the store contains.
    package let firstMissingAfter: Int

    /// The last sequence that was assigned.
    package let lastSequence: Int

    /// A description of the loss.
    package var description: String {
        let commits = count == 1 ? "1 confirmed commit is" : "\(count) confirmed commits are"
        return
            "\(commits) missing; what was stored after sequence \(firstMissingAfter) and up to \(lastSequence) is lost"
    }
}

/// The tuning of a `SQLiteStore`; tests choose other values.
package struct SQLiteTuning: Sendable {
    /// The seconds to wait for another program that has locked the file.
    package var busyTimeout = 5.0

    /// The size of the write-ahead log in bytes from which it is copied into the database.
    package var checkpointThreshold = 8 << 20

    /// The size of a database in bytes up to which every opening checks it, because this takes little time.
    package var maximumCheckedBytes = 16 << 20

    /// The maximum number of items in one transaction, unless a single change has more.
    package var maximumItemsInCommit = 20_000

    /// The maximum number of items that wait; more are refused.
    package var maximumItemsInQueue = 200_000

    /// The seconds for which the log keeps notifications that have ended; 0 keeps no log.
    package var logRetention = Retention.logLifetime

    /// Creates the values of a gateway.
    package init() {}
}
