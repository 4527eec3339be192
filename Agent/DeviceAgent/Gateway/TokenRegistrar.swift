internal import DeviceModel
internal import GatewayClient
internal import LocalService
internal import Logging
internal import PushRules
internal import ServiceLifecycle
internal import WaypostSchema

/// A service that registers the tokens of the device's apps at the gateway, and unregisters those that ended.
///
/// They join the agent of the device, so that its stream has the notifications for all of them.
struct TokenRegistrar: Service {
    let device: DeviceStore
    let client: GatewayClient
    let sources: AgentSources
    let logger: Logger

    /// The secret of the device when the agent started, or when the device was added.
    let firstSecret: BearerSecret?

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let model = device.model
            let requests = model.tokens.current.filter { $0.token == nil }.map { TokenReport($0, of: model) }
            var registrations = TokenRegistrations(secret: firstSecret, requests: requests)
            for await _ in device.changes.watch() {
                if device.isConnected { await sync(&registrations) } else { registrations.forgetRefusals() }
            }
        }
    }

    /// Performs steps until the gateway has received everything, or refused it, or the device is offline.
    private func sync(_ registrations: inout TokenRegistrations) async {
        var backoff = RetryBackoff()
        var model = device.model
        // A rotation of the secret, which ends with a change, is no new registration.
        while device.isConnected, let secret = device.settledSecret,
            let step = registrations.nextStep(for: model, secret: secret.first)
        {
            defer { model = device.model }
            do {
                try await perform(step, with: secret.current, &registrations)
                backoff.recordSuccess()
            } catch {
                logger.notice("the gateway could not be notified of a token", metadata: ["reason": "\(error)"])
                if (error as? CallError)?.isLastingRefusal == true {
                    // The next attempt has the secret that replaced this one.
                    guard device.isSettled(on: secret.current) else { continue }
                    registrations.recordRefusal(of: step)
                    continue
                }
                registrations.recordLostAnswer(to: step)
                device.lastUnsettledTokens = model.tokens
                guard (try? await sources.sleep(backoff.recordFailure(random: sources.random()))) != nil else { return }
            }
        }
        // Each later change synchronizes again: until then, callers wait for tokens that no step has tried.
        let unsettledTokens: DeviceTokens? = model.tokens.isSettled ? nil : model.tokens
        if device.lastUnsettledTokens != unsettledTokens { device.lastUnsettledTokens = unsettledTokens }
    }

    private func perform(
        _ step: TokenRegistrations.Step,
        with secret: BearerSecret,
        _ registrations: inout TokenRegistrations
    ) async throws {
        switch step {
        case .invalidate(let tokens): try await apply(tokens.map { .tokenInvalidated($0) })
        case .register(let report):
            let purpose = report.token.purpose
            let token = try await register(report, with: secret, lost: registrations.lostReport(for: purpose))
            // If the next request fails, the token is registered again, and the gateway assigns no other one.
            if report.token.token != token {
                guard device.model.tokens.current.contains(where: { $0.purpose == purpose }) else {
                    return try await unregister(unwanted: token, assignedIn: step, for: report, &registrations)
                }
                try await apply([.tokenAssigned(purpose, token)])
            }
            // A token that the gateway assigned has power.
            if report.isLowPowerModeEnabled || report.token.token != nil {
                _ = try await client.setPower(DevicePower(constrained: report.isLowPowerModeEnabled), of: token)
            }
            registrations.record(report, as: token)
        case .unregister(let token):
            try await end(token, &registrations) { () async throws(CallError) in try await client.unregister(token) }
        case .unregisterLater(let token):
            try await end(token, &registrations) { () async throws(CallError) in
                let end = try await client.clock().now.advanced(by: TokenContract.earlierStartTokenTime)
                _ = try await client.setStanding(TokenStandingChange(standing: .unregistered, since: end), of: token)
            }
        case .unregisterLost(let report):
            var registration = report.registration(with: secret)
            for token in try await unusedTokens(for: report) {
                registration.token = token
                if let lostToken = try await registerUnlessTaken(registration) {
                    try await client.unregister(lostToken)
                }
            }
            registrations.recordEnd(ofLost: report)
        }
    }

    /// Unregisters a token for which no app waits any more, because it was removed or restored during the request.
    private func unregister(
        unwanted token: DeviceToken,
        assignedIn step: TokenRegistrations.Step,
        for report: TokenReport,
        _ registrations: inout TokenRegistrations
    ) async throws(CallError) {
        // If the request fails, a later step looks for the token.
        registrations.recordLostAnswer(to: step)
        try await client.unregister(token)
        registrations.recordEnd(ofLost: report)
    }

    /// Ends a token at the gateway, and then on the device.
    private func end(
        _ token: DeviceToken,
        _ registrations: inout TokenRegistrations,
        by call: () async throws(CallError) -> Void
    ) async throws {
        do throws(CallError) {
            try await call()
        } catch {
            // A gateway that has lost its data does not have the token.
            guard case .refused(status: 404, _) = error else { throw error }
        }
        registrations.recordEnd(of: token)
        try await apply([.tokenInvalidated(token)])
    }

    /// Registers a token.
    ///
    /// If the answer to an earlier attempt was lost, the gateway may have assigned a token, which the device takes.
    ///
    /// - Parameters:
    ///   - report: the report.
    ///   - secret: the secret of the device.
    ///   - lostReport: the report of the earlier attempt; `nil` for none.
    /// - Returns: the token.
    /// - Throws: `CallError`.
    private func register(
        _ report: TokenReport,
        with secret: BearerSecret,
        lost lostReport: TokenReport?
    ) async throws(CallError) -> DeviceToken {
        var registration = report.registration(with: secret)
        guard let lostReport, registration.token == nil else { return try await client.register(registration).token }
        for token in try await unusedTokens(for: lostReport) {
            registration.token = token
            if let registeredToken = try await registerUnlessTaken(registration) { return registeredToken }
        }
        registration.token = nil
        return try await client.register(registration).token
    }

    /// Registers a token; returns `nil` if it belongs to the agent of another device.
    private func registerUnlessTaken(_ registration: DeviceRegistration) async throws(CallError) -> DeviceToken? {
        do throws(CallError) {
            return try await client.register(registration).token
        } catch {
            guard case .refused(status: 409, _) = error else { throw error }
            return nil
        }
    }

    /// Returns the tokens at the gateway that the device may have requested, and that no app on it has or had.
    ///
    /// They have the name of the report, or that of the device if a later attempt has registered them again.
    private func unusedTokens(for report: TokenReport) async throws(CallError) -> [DeviceToken] {
        var registered: [RegisteredDevice] = []
        for name in Set([report.deviceName, device.model.name]) {
            registered += try await client.devices(after: nil, named: name, standing: .active).devices.map(\.device)
        }
        let tokens = device.model.tokens
        let usedTokens = (tokens.current + tokens.ended).compactMap(\.token)
        return registered.filter { $0.purpose == report.token.purpose && !usedTokens.contains($0.token) }.map(\.token)
    }

    private func apply(_ events: [TokenEvent]) async throws {
        _ = try await device.apply(events.map { .token($0) }, at: sources.now())
    }

    /// Waits until the gateway has assigned and unregistered every token, or cannot do so.
    func waitUntilTokensAreSettled() async {
        await device.waitUntil {
            !$0.isConnected || $0.model.tokens.isSettled || $0.lastUnsettledTokens == $0.model.tokens
        }
    }
}
