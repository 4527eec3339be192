internal import GatewayClient
internal import WaypostSchema

/// The tokens of the apps on a device, with the names by which commands find them.
struct NamedTokens: Equatable {
    private let device: String
    private let tokens: [AppToken]

    init(_ tokens: [AppToken], on device: String) {
        (self.device, self.tokens) = (device, tokens)
    }

    /// Reads the tokens, once the gateway has assigned all that apps have requested, or after ten seconds.
    init(of device: String, at agent: AgentClient) async throws(CallError) {
        let requestedCount = try await agent.tokens(of: device).count
        self.init(try await agent.tokens(of: device, atLeast: requestedCount), on: device)
    }

    /// The name and the token of each, as rows of a table.
    var rows: [[String]] {
        tokens.map { [name(of: $0.purpose), $0.token?.rawValue ?? "not assigned yet"] }
    }

    /// Returns the app to which an alert can be sent, the first one, and the name of the token that is for it.
    ///
    /// - Parameter apps: the apps on the device.
    /// - Returns: the app and the name; `nil` if no app has a token for alerts.
    func alertTarget(among apps: [AppDescription]) -> (app: BundleIdentifier, name: String)? {
        guard let app = apps.first(where: { $0.tokens?.contains(.app) ?? true }) else { return nil }
        let identifier = app.bundleIdentifier
        return (identifier, app.tokens == nil ? device : name(of: TokenPurpose(.app, of: identifier)))
    }

    private func name(of purpose: TokenPurpose) -> String {
        let names = tokens.map { TokenName(device: device, purpose: $0.purpose) }
        return TokenName(device: device, purpose: purpose).shortest(among: names)
    }
}
