public import Testing
public import WaypostSchema

/// The tokens of a device and of its apps, and what changes them.
extension Device {
    /// Returns the token of a kind that an app has now, once the gateway has assigned it.
    ///
    /// - Parameters:
    ///   - kind: the kind, which the app declares.
    ///   - app: the app.
    ///   - name: the Live Activity, the channel or the control; `nil` for the only token of the kind.
    ///   - sourceLocation: the place that an error names.
    /// - Returns: the token.
    /// - Throws: `WaypostError.failed` if the app has no such token, or several.
    public func token(
        _ kind: TokenPurpose.Kind,
        of app: BundleIdentifier,
        name: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> DeviceToken {
        var tokens: [AppToken] = try await get("tokens", sourceLocation: sourceLocation)
        if tokens.contains(where: { $0.token == nil }) {
            tokens = try await get("tokens?wait=\(tokens.count)&timeout=5s", sourceLocation: sourceLocation)
        }
        let tokensOfApp = tokens.filter { $0.purpose.app == app && $0.token != nil }
        let matchingTokens = tokensOfApp.filter {
            $0.purpose.kind == kind && (name == nil || $0.purpose.name == name)
        }
        guard matchingTokens.count == 1, let token = matchingTokens[0].token else {
            let count = matchingTokens.isEmpty ? "no token" : "\(matchingTokens.count) tokens"
            let kinds = tokensOfApp.isEmpty ? "none" : tokensOfApp.map(\.purpose.kind.rawValue).joined(separator: ", ")
            throw WaypostError.failed(
                "\(app) on \(self.name) has \(count) '\(kind.rawValue)'; its tokens: \(kinds)",
                at: sourceLocation
            )
        }
        return token
    }

    /// Removes an app; senders to its own tokens are told at once, or after a time.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - delay: the time until then, in whole milliseconds; `nil` for none.
    ///   - sourceLocation: the place that an error names.
    /// - Throws: `WaypostError.failed`.
    public func uninstall(
        _ app: BundleIdentifier,
        after delay: Duration? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let keys: [String: JSONValue?] = [
            "app": .string(app.rawValue), "after": delay.map { .string($0.millisecondsText) },
        ]
        try await perform("uninstall", keys, at: sourceLocation)
    }

    /// Installs an app again as it was, with new tokens; if it is there, it is removed before.
    ///
    /// The token of the device may change, too; the property `token` stays the one of the beginning of the test.
    public func reinstall(_ app: BundleIdentifier, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await perform("reinstall", ["app": .string(app.rawValue)], at: sourceLocation)
    }

    /// Installs an app over itself, as an update does; its tokens stay.
    public func update(_ app: BundleIdentifier, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await perform("update", ["app": .string(app.rawValue)], at: sourceLocation)
    }

    /// Gives the device another token, or an app one of a kind; the earlier one is unregistered.
    ///
    /// The property `token` stays the token that the device had at the beginning of the test.
    ///
    /// - Parameters:
    ///   - kind: the kind; `nil` for the token of the device.
    ///   - app: the app; `nil` for the only one with such a token.
    ///   - name: the Live Activity, the channel or the control; `nil` for the only token of the kind.
    ///   - sourceLocation: the place that an error names.
    /// - Returns: the new token.
    /// - Throws: `WaypostError.failed`.
    @discardableResult
    public func rotateToken(
        _ kind: TokenPurpose.Kind? = nil,
        of app: BundleIdentifier? = nil,
        name: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> DeviceToken {
        let selector = kind.map { kind in name.map { "\(kind.rawValue)/\($0)" } ?? kind.rawValue }
        let keys: [String: JSONValue?] = [
            "app": app.map { .string($0.rawValue) }, "token": selector.map { .string($0) },
        ]
        let answer = try await perform("rotate-token", keys, at: sourceLocation)
        guard let token = answer.answer?["token"]?.string else {
            throw WaypostError.failed("the gateway has not assigned another token to \(self.name)", at: sourceLocation)
        }
        return DeviceToken(rawValue: token)
    }

    /// Restores the backup of another device, or of this one: its apps and settings are here, and every token is new.
    ///
    /// The property `token` keeps the earlier token of the device.
    ///
    /// - Parameters:
    ///   - source: the device of the backup, whose tokens stay valid if it is another one.
    ///   - sourceLocation: the place that an error names.
    /// - Returns: the new tokens, and those that ended.
    /// - Throws: `WaypostError.failed`.
    @discardableResult
    public func restoreBackup(
        of source: Device,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> BackupRestoration {
        try await perform("restore-backup", ["from": .string(source.name)], at: sourceLocation).value()
    }
}
