internal import DeviceModel
internal import LocalService
internal import PushRules
internal import WaypostSchema

extension RunningDevice {
    /// Restores a backup on the device: it gets the apps and settings, and every token is new.
    ///
    /// The token of the device is replaced first, because that needs the gateway: offline, nothing is restored.
    ///
    /// - Parameter backup: the description of the device of the backup, which may be this one.
    /// - Returns: the changes of tokens.
    /// - Throws: `RequestError.malformedBody` if the backup cannot be used, `AgentError.journalWriteFailed`, and as
    ///   `GatewaySession.rotateToken`.
    func restoreBackup(_ backup: DeviceDescription) async throws -> BackupRestoration {
        do throws(DescriptionError) {
            _ = try DeviceModel(backup)
        } catch {
            throw RequestError.malformedBody("\(error)")
        }
        let (previousToken, previousTokens) = (store.credential?.token, store.model.tokens.current)
        try await session.rotateToken()
        _ = try await applyOrThrow(.system(.backupRestored(backup)))
        let tokens = store.model.tokens.current
        let purposes = tokens.map(\.purpose) + previousTokens.map(\.purpose).filter { purpose in
            !tokens.contains { $0.purpose == purpose }
        }
        let changes = purposes.map { purpose in
            TokenReplacement(
                purpose: purpose,
                previous: previousTokens.first { $0.purpose == purpose }?.token,
                token: tokens.first { $0.purpose == purpose }?.token
            )
        }
        return BackupRestoration(
            of: backup.name,
            on: store.name,
            [TokenReplacement(previous: previousToken, token: store.credential?.token)] + changes
        )
    }
}

extension BackupRestoration {
    /// Creates the value with the sentence about the changes.
    fileprivate init(of source: String, on device: String, _ changes: [TokenReplacement]) {
        let newTokens = changes.filter { $0.token != nil }.map { $0.purpose?.title ?? "its own" }
        var clauses = ["\(device) has the apps and settings of \(source)"]
        clauses.append("its new tokens are \(newTokens.joined(separator: ", "))")
        clauses.append("its earlier ones answer 410 Unregistered")
        if source != device { clauses.append("those of \(source) stay valid as long as its apps are there") }
        self.init(from: source, tokens: changes, explanation: clauses.joined(separator: "; "))
    }
}
