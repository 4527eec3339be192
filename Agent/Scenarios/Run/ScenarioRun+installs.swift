internal import DeviceModel
internal import GatewayClient
internal import LocalProcesses
internal import SchemaFiles
internal import WaypostSchema

/// Apps that are removed, installed again and updated, backups, and what that changes about tokens.
extension ScenarioRun {
    /// Removes an app.
    ///
    /// Its own tokens end with it, at once or after a time. That of the device ends only if no other app uses it.
    func uninstall(_ uninstallation: Uninstallation) async throws -> StepAnswer {
        let (app, device) = (uninstallation.app, uninstallation.device)
        let removedApp = try await description(of: app, on: device)
        let delay = uninstallation.after.flatMap(DurationText.milliseconds)
        guard delay == nil || removedApp.tokens != nil else {
            throw StepFailure("'after' needs an app with 'tokens' of its own: \(app) uses the token of \(device)")
        }
        guard delay == nil || isReachable(device) else {
            throw StepFailure("'after' needs a connected device: \(device) cannot report the removal to the gateway")
        }
        let tokens = try await appTokens(of: device).filter { $0.purpose.app == app }.compactMap(\.token)
        try await endProcess(of: app, on: device)
        var answer = StepAnswer(try await apply(.system(.appRemoved(app)), to: device))
        self[device].removedApps[app] = removedApp
        try await appTokens(of: device)
        if let delay {
            let end = Timestamp(milliseconds: try await environment.gateway.clock().now.rawValue + delay)
            let change = TokenStandingChange(standing: .unregistered, since: end)
            for token in tokens { _ = try await environment.gateway.setStanding(change, of: token) }
        }
        if removedApp.tokens == nil {
            answer.warning = try await sharingNotice(of: app, on: device)
            if answer.warning == nil, isReachable(device) {
                let change = TokenStandingChange(standing: .unregistered)
                _ = try await environment.gateway.setStanding(change, of: try environment.token(of: device))
            }
        }
        return answer
    }

    /// Installs an app as it was when it was removed; if it is installed, it is removed before.
    func reinstall(_ app: BundleIdentifier, on device: String) async throws -> StepAnswer {
        if try await installedApps(on: device).contains(where: { $0.bundleIdentifier == app }) {
            _ = try await uninstall(Uninstallation(device: device, app: app))
        }
        guard var removedApp = self[device].removedApps.removeValue(forKey: app) else {
            throw StepFailure("\(device) does not have \(app), and no step 'uninstall' removed it")
        }
        removedApp.forgetRun()
        var answer = StepAnswer(try await apply(.system(.appInstalled(removedApp)), to: device))
        try await appTokens(of: device)
        if removedApp.tokens == nil {
            answer.warning = try await sharingNotice(of: app, on: device)
            if answer.warning == nil { try await replaceUnregisteredToken(of: device) }
        }
        return answer
    }

    /// Installs an app over itself, as an update does; its tokens stay.
    func update(_ app: BundleIdentifier, on device: String) async throws -> StepAnswer {
        let description = try await description(of: app, on: device)
        try await endProcess(of: app, on: device)
        return StepAnswer(try await apply(.system(.appInstalled(description)), to: device))
    }

    /// Restores the backup of a device on another one, or on the same: it gets the apps and settings, and new tokens.
    func restoreBackup(of source: String, on device: String) async throws -> StepAnswer {
        let backup = try await environment.agent(of: source).description(of: source)
        let agent = try environment.agent(of: device)
        let previous = try environment.token(of: device)
        try await appTokens(of: device)
        let restoration = try await agent.restore(backup: backup, on: device)
        record(restoration.tokens.first { $0.purpose == nil }?.token, inPlaceOf: previous, of: device)
        for app in Array(self[device].appProcesses.keys) { try await endProcess(of: app, on: device) }
        self[device].record(.system(.backupRestored(backup)))
        try await appTokens(of: device)
        if backup.apps.contains(where: { !$0.associatedDomains.isEmpty }) {
            _ = try await agent.checkAssociations(of: device)
        }
        try await readState(of: device)
        var answer = StepAnswer(restoration)
        answer.summary = restoration.explanation
        return answer
    }

    /// Ends a token of an app or that of the device; there is another one then.
    func rotateToken(_ choice: TokenChoice) async throws -> StepAnswer {
        let device = choice.device
        guard choice.selector != nil else { return StepAnswer(try await rotateDeviceToken(of: device)) }
        let (purpose, previous) = try await appToken(choice)
        try await apply(.token(.tokenInvalidated(previous)), to: device)
        let token = try await appTokens(of: device).first { $0.purpose == purpose }?.token
        return StepAnswer(TokenReplacement(purpose: purpose, previous: previous, token: token))
    }

    private func rotateDeviceToken(of device: String) async throws -> TokenReplacement {
        let previous = try environment.token(of: device)
        let token = try await environment.agent(of: device).rotateToken(of: device).token
        record(token, inPlaceOf: previous, of: device)
        markAsUnsettled([device])
        try await settle()
        return TokenReplacement(previous: previous, token: token)
    }

    /// Records that a device has another token.
    private func record(_ token: DeviceToken?, inPlaceOf previous: DeviceToken, of device: String) {
        if let token { environment.setToken(token, of: device) }
        self[device].tokens.recordEnd(of: previous)
    }

    /// Gives a device another token, which is valid; the earlier one keeps the time of its end.
    private func replaceUnregisteredToken(of device: String) async throws {
        let gateway = environment.gateway
        let previous = try await gateway.device(try environment.token(of: device))
        // The gateway does not notice that an app is installed again on a device that is offline.
        guard isReachable(device) || previous.standing != .active else { return }
        _ = try await rotateDeviceToken(of: device)
        guard previous.standing != .active else { return }
        let end = TokenStandingChange(standing: previous.standing, since: previous.since)
        _ = try await gateway.setStanding(end, of: previous.token)
    }

    /// Returns a sentence about the apps with which an app shares the token of the device; `nil` if there are none.
    private func sharingNotice(of app: BundleIdentifier, on device: String) async throws -> String? {
        let others = try await installedApps(on: device).filter { $0.tokens == nil && $0.bundleIdentifier != app }
        guard !others.isEmpty else { return nil }
        let names = others.map(\.bundleIdentifier.rawValue).joined(separator: ", ")
        return "the token of \(device) is also that of \(names), so it stays, and only the topics of \(app) change; "
            + "'tokens' give an app tokens of its own"
    }

    private func installedApps(on device: String) async throws -> [AppDescription] {
        try await environment.agent(of: device).appDescriptions(on: device)
    }

    private func description(of app: BundleIdentifier, on device: String) async throws -> AppDescription {
        let apps = try await installedApps(on: device)
        guard let description = apps.first(where: { $0.bundleIdentifier == app }) else {
            throw StepFailure("\(device) does not have \(app)")
        }
        return description
    }

    /// Ends the process of an app that the run started.
    private func endProcess(of app: BundleIdentifier, on device: String) async throws {
        try await self[device].appProcesses.removeValue(forKey: app)?.end(.kill)
    }
}
