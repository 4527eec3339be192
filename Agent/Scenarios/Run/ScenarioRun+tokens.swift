internal import DeviceModel
internal import GatewayClient
internal import LocalProcesses
internal import PushRules
internal import WaypostSchema

extension ScenarioRun {
    /// Returns the tokens of the apps of a device, once the gateway has assigned all of them and unregistered others.
    ///
    /// If its agent does not run, they are those that were seen last.
    @discardableResult
    func appTokens(of device: String) async throws -> [AppToken] {
        guard self[device].mayHaveAppTokens, environment.isRunning(device) else { return self[device].tokens.current }
        let agent = try environment.agent(of: device)
        var tokens: [AppToken] = []
        try await ProcessWait.untilTrue(orFailWith: "the gateway did not assign every token of the apps on \(device)") {
            tokens = try await agent.appTokens(of: device)
            return tokens.allSatisfy { $0.token != nil } || !isReachable(device)
        }
        self[device].tokens.update(tokens)
        // A device that is offline notifies the gateway later.
        guard isReachable(device) else { return tokens }
        for token in self[device].tokens.takeUnconfirmedEnds() {
            try await ProcessWait.untilTrue(orFailWith: "the gateway did not unregister a token of \(device)") {
                try await !environment.gateway.isActive(token)
            }
        }
        return tokens
    }

    /// Returns the token of a device and those that its apps have.
    func currentTokens(of device: String) async throws -> [DeviceToken] {
        try await [environment.token(of: device)] + appTokens(of: device).compactMap(\.token)
    }

    /// Returns the token of a device and those that its apps have or had.
    func allTokens(of device: String) async throws -> [DeviceToken] {
        let currentTokens = try await currentTokens(of: device)
        let seenTokens = self[device].tokens
        return currentTokens + seenTokens.ended.compactMap(\.token) + seenTokens.endedDeviceTokens
    }

    /// Returns the token to which a notification goes: the one that the step names, that of the app with the topic, or
    /// else that of the device.
    func token(for sending: Sending, to device: String) async throws -> DeviceToken {
        try await appTokens(of: device)
        let seenTokens = self[device].tokens
        let matches = { (purpose: TokenPurpose) in self.selects(purpose, by: sending, on: device) }
        let tokens =
            sending.previous == true ? seenTokens.endedToken(where: matches) : seenTokens.tokens(where: matches)
        if tokens.isEmpty, sending.token == nil, sending.liveActivity == nil {
            return try deviceToken(of: device, isPrevious: sending.previous == true)
        }
        let name = sending.liveActivity ?? sending.token?.text ?? sending.topic.rawValue
        return try onlyToken(among: tokens, named: name, on: device).token
    }

    private func deviceToken(of device: String, isPrevious: Bool) throws(StepFailure) -> DeviceToken {
        guard isPrevious else { return try environment.token(of: device) }
        guard let token = self[device].tokens.endedDeviceTokens.last else {
            throw StepFailure("\(device) had no other token for the topic before")
        }
        return token
    }

    /// Returns whether a step that sends selects the token for a purpose.
    private func selects(_ purpose: TokenPurpose, by sending: Sending, on device: String) -> Bool {
        if let title = sending.liveActivity {
            let ids = sentNotifications.filter { $0.device == device && $0.title == title }.map(\.id.rawValue)
            return purpose.kind == .liveActivity && ([title] + ids).contains { $0 == purpose.name }
        }
        guard let token = sending.token else { return purpose.isFor(sending.topic, payload: sending.payload) }
        let apps = self[device].tokens.apps.filter { "\(sending.topic).".hasPrefix("\($0).") }
        // A step may try the topic of another app.
        return token.selects(purpose) && (apps.isEmpty || apps.contains(purpose.app))
    }

    /// Returns the token that a step names, or that of the device.
    func token(_ choice: TokenChoice) async throws -> DeviceToken {
        guard choice.selector != nil else { return try environment.token(of: choice.device) }
        return try await appToken(choice).token
    }

    /// Returns the token of an app that a step names, with its purpose.
    func appToken(_ choice: TokenChoice) async throws -> (purpose: TokenPurpose, token: DeviceToken) {
        try await appTokens(of: choice.device)
        let selector = choice.selector ?? TokenSelector(.app)
        let tokens = self[choice.device].tokens.tokens { purpose in
            selector.selects(purpose) && (choice.app == nil || purpose.app == choice.app)
        }
        return try onlyToken(among: tokens, named: selector.text, on: choice.device)
    }

    /// Returns the only one of some tokens.
    private func onlyToken(
        among tokens: [AppToken],
        named name: String,
        on device: String
    ) throws(StepFailure) -> (purpose: TokenPurpose, token: DeviceToken) {
        if tokens.count == 1, let token = tokens.first?.token { return (tokens[0].purpose, token) }
        guard tokens.isEmpty else {
            let names = tokens.map(\.purpose.text).joined(separator: ", ")
            throw StepFailure("'\(name)' could be \(tokens.count) tokens on \(device): \(names)")
        }
        let names = self[device].tokens.current.map(\.purpose.text)
        let list = names.isEmpty ? "no app has a token of its own" : "it has: \(names.joined(separator: ", "))"
        throw StepFailure("\(device) has no token '\(name)'; \(list)")
    }

    /// Compares the kinds of the tokens that an app has.
    ///
    /// - Parameters:
    ///   - expected: the expected kinds, in any order.
    ///   - app: the app; `nil` for the only one with tokens of its own.
    ///   - device: the device.
    /// - Returns: the difference.
    /// - Throws: `StepFailure` if the app must be named, `CallError`.
    func compareTokens(
        _ expected: [TokenPurpose.Kind],
        of app: BundleIdentifier?,
        on device: String
    ) async throws -> Findings {
        let tokens = try await appTokens(of: device).filter { $0.token != nil }
        guard app != nil || Set(tokens.map(\.purpose.app)).count <= 1 else {
            throw StepFailure("several apps on \(device) have tokens; name the one with 'app'")
        }
        let actualKinds = tokens.filter { app == nil || $0.purpose.app == app }.map(\.purpose.kind.rawValue).sorted()
        let expectedKinds = expected.map(\.rawValue).sorted()
        var findings = Findings()
        if actualKinds != expectedKinds {
            findings.add(
                "tokens",
                expectedKinds.isEmpty ? "none" : expectedKinds.joined(separator: ", "),
                actual: actualKinds.isEmpty ? "none" : actualKinds.joined(separator: ", "),
                replacement: actualKinds
            )
        }
        return findings
    }
}

extension AgentClient {
    /// Returns the tokens of the apps on a device; none if a step removed the device.
    fileprivate func appTokens(of device: String) async throws(CallError) -> [AppToken] {
        do {
            return try await tokens(of: device)
        } catch .refused(status: 404, _) {
            return []
        }
    }
}

extension GatewayClient {
    /// Returns whether a token is active; a gateway that has lost its data does not have the token.
    fileprivate func isActive(_ token: DeviceToken) async throws(CallError) -> Bool {
        do {
            return try await device(token).standing == .active
        } catch .refused(status: 404, _) {
            return false
        }
    }
}

extension TokenPurpose {
    /// The purpose, as a step names it.
    fileprivate var text: String {
        TokenSelector(kind, name: name).text + " of \(app)"
    }
}
