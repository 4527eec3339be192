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
    /// - Throws: `RequestError.malformedBody` if the backup cannot be used, as `GatewaySession.rotateToken`, and
    ///   `AgentError.tokenReplaced` if something failed after that.
    func restoreBackup(_ backup: DeviceDescription) async throws -> BackupRestoration {
        do throws(DescriptionError) {
            _ = try DeviceModel(backup)
        } catch {
            throw RequestError.malformedBody("\(error)")
        }
        let previousToken = try await session.rotateToken()
        let previousTokens = store.model.tokens.current
        do {
            _ = try await applyOrThrow(.system(.backupRestored(backup)))
        } catch let error as AgentError {
            throw AgentError.tokenReplaced(before: error)
        }
        let deviceTokens = store.model.tokens
        let tokens = deviceTokens.current
        let purposes =
            tokens.map(\.purpose)
            + previousTokens.map(\.purpose).filter { purpose in
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
            changes: [TokenReplacement(previous: previousToken, token: store.credential?.token)] + changes,
            deviceTokens
        )
    }
}

extension BackupRestoration {
    /// Creates the value with the sentence about the changes, and about those that the gateway has not received yet.
    fileprivate init(of source: String, on device: String, changes: [TokenReplacement], _ tokens: DeviceTokens) {
        let newTokens = changes.filter { $0.token != nil }.map { $0.purpose?.title ?? "its own" }
        var clauses = ["\(device) has the apps and settings of \(source)"]
        clauses.append("its new tokens are \(newTokens.joined(separator: ", "))")
        let waitingTokens = tokens.current.filter { $0.token == nil }.map(\.purpose.title)
        if !waitingTokens.isEmpty {
            clauses.append("the gateway has not assigned these yet: \(waitingTokens.joined(separator: ", "))")
        }
        let condition = tokens.ended.isEmpty ? "" : " once the gateway has been notified"
        clauses.append("its earlier ones answer 410 Unregistered" + condition)
        if source != device { clauses.append("those of \(source) stay valid as long as its apps are there") }
        self.init(from: source, tokens: changes, explanation: clauses.joined(separator: "; "))
    }
}
