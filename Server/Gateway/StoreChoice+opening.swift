internal import GatewayStore
internal import Logging
internal import PostgresStore

extension StoreChoice {
    /// Restores a backup into the folder of the chosen store, which contains no store.
    ///
    /// - Parameters:
    ///   - file: the path of the backup (`GET /v1/backup`).
    ///   - onWarning: called with a warning for people, if the backup may have damage that is not noticed.
    /// - Returns: what was done, for people.
    /// - Throws: `GatewayStartError.cannotOpenStore`; the folder contains no store then.
    package func restore(_ file: String, onWarning: (String) -> Void) throws(GatewayStartError) -> String {
        guard let folder else {
            throw .cannotOpenStore("a backup can be restored only into a folder; use --store sqlite and --data")
        }
        do {
            let backup = try SQLiteStore.restore(file, into: folder)
            if !backup.hasDigest {
                onWarning("\(file) has no digest, as backups of earlier gateways; changed bytes in it are not noticed")
            }
            return "restored \(file) into \(folder) (version \(backup.version) of the store's schema)"
        } catch {
            throw .cannotOpenStore("\(error)")
        }
    }

    /// Opens the chosen store, and logs if data was lost.
    ///
    /// - Parameters:
    ///   - logRetention: the seconds for which the log keeps ended notifications.
    ///   - wait: the wait for a database that is not ready.
    ///   - logger: the gateway's logger.
    ///   - onCommit: called with each commit.
    /// - Returns: the store.
    /// - Throws: `GatewayStartError.cannotOpenStore` if it cannot be opened, or `CancellationError` if the task is
    ///   canceled while it waits.
    func open(
        logRetention: Int,
        wait: DatabaseWait,
        logger: Logger,
        onCommit: @escaping @Sendable (CommitReport) -> Void
    ) async throws -> any GatewayStore {
        var tuning = SQLiteTuning()
        tuning.logRetention = logRetention
        do {
            switch self {
            case .memory: return try SQLiteStore.inMemory(tuning: tuning, onCommit: onCommit)
            case .postgres(let address):
                return try await Self.open(
                    address,
                    logRetention: logRetention,
                    wait: wait,
                    logger: logger,
                    onCommit: onCommit
                )
            case .sqlite(let folder):
                let opened = try SQLiteStore.open(
                    in: folder,
                    tuning: tuning,
                    onCommit: onCommit
                ) { damaged in
                    logger.error(
                        "a payload in the store is damaged; its notification is not delivered",
                        metadata: ["id": "\(damaged.id)", "sequence": "\(damaged.sequence)"]
                    )
                }
                if let lostCommits = opened.report.lostCommits { logger.error("\(lostCommits)") }
                if !opened.report.hasRoom {
                    onCommit(CommitReport(itemCount: 0, duration: .zero, hasWrites: false, error: .full))
                }
                return opened.store
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw GatewayStartError.cannotOpenStore("\(error)")
        }
    }

    private static func open(
        _ address: PostgresAddress,
        logRetention: Int,
        wait: DatabaseWait,
        logger: Logger,
        onCommit: @escaping @Sendable (CommitReport) -> Void
    ) async throws -> PostgresStore {
        var tuning = PostgresTuning()
        tuning.logRetention = logRetention
        let chosenTuning = tuning
        let reportWait = { (error: PostgresOpeningError) in
            logger.warning(
                "the database is not ready; the gateway waits for it",
                metadata: ["error": "\(error)", "seconds": "\(wait.limit.components.seconds)"]
            )
        }
        return try await wait.open(clock: ContinuousClock(), onWait: reportWait) { () throws(PostgresOpeningError) in
            try PostgresStore.open(address, tuning: chosenTuning, onCommit: onCommit) { reason in
                logger.error("a connection to the store failed", metadata: ["error": "\(reason)"])
            } onNotice: { notice in
                logger.record(notice)
            }
        }
    }
}

extension Logger {
    /// Logs a notice of the database.
    fileprivate func record(_ notice: PostgresNotice) {
        var metadata: Metadata = ["severity": "\(notice.severity)"]
        metadata["detail"] = notice.detail.map(MetadataValue.string)
        metadata["hint"] = notice.hint.map(MetadataValue.string)
        let level = notice.isInformation ? Level.info : .warning
        log(level: level, "a notice of the database: \(notice.message)", metadata: metadata)
    }
}
