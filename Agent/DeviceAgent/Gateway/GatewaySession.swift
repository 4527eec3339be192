internal import DeviceModel
internal import Foundation
internal import GatewayClient
internal import JSONScanning
internal import LocalService
internal import Logging
internal import ServiceLifecycle
internal import TextBasics
internal import WaypostSchema

/// The agent's side of the courier's stream.
///
/// It registers the device, follows the stream, applies notifications and then acknowledges them. If the gateway
/// disconnects, the agent reconnects.
struct GatewaySession: Service {
    let device: DeviceStore
    let client: GatewayClient
    let sources: AgentSources
    let logger: Logger

    /// Until a gateway has answered for the first time, `FirstConnection` says that it does not.
    let firstConnection: FirstConnection.State

    /// Called each time the stream opens or has ended.
    let onConnectionChange: @Sendable (_ isConnected: Bool) -> Void

    func run() async throws {
        try await cancelWhenGracefulShutdown { try await keepConnected() }
    }

    private func keepConnected() async throws {
        var backoff = RetryBackoff()
        while !Task.isCancelled {
            await device.waitUntil { !$0.model.isInAirplaneMode }
            let lastAttempt = await connectWhileOnline()
            setConnected(false)
            guard let attempt = lastAttempt else { continue }
            if Task.isCancelled { return }
            if attempt.madeProgress { backoff.recordSuccess() }
            let wait = attempt.wasReplaced ? RetryBackoff.maximum : backoff.recordFailure(random: sources.random())
            logger.log(
                level: firstConnection.hasAnswered ? .notice : .debug,
                "not connected to the gateway",
                metadata: ["reason": "\(attempt.reason)", "retry": "\(wait.roundedText)"]
            )
            do { try await sources.sleep(wait) } catch { return }
        }
    }

    private func setConnected(_ isConnected: Bool) {
        device.isConnected = isConnected
        onConnectionChange(isConnected)
    }

    /// Follows the stream until it ends; returns `nil` if Airplane Mode ended it.
    private func connectWhileOnline() async -> Attempt? {
        await withTaskGroup(of: Attempt?.self) { group in
            group.addTask { await connectOnce() }
            group.addTask {
                await device.waitUntil(\.model.isInAirplaneMode)
                return nil
            }
            group.addTask {
                await syncRegistration()
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// Notifies the gateway, while the stream is open, whenever the device's topics or its power mode change.
    private func syncRegistration() async {
        for await _ in device.changes.watch() {
            var backoff = RetryBackoff()
            while device.isConnected,
                device.nextSecret != nil || device.lastReportedConditions != device.deliveryConditions,
                device.lastUnreportedConditions != device.deliveryConditions || backoff.hasFailed
            {
                let conditions = device.deliveryConditions
                do throws(CallError) {
                    _ = try await updateRegistration()
                } catch {
                    device.lastUnreportedConditions = conditions
                    logger.notice("the gateway could not be notified of a change", metadata: ["reason": "\(error)"])
                    // Refused conditions are sent again when the device reconnects.
                    if error.isLastingRefusal { break }
                    guard (try? await sources.sleep(backoff.recordFailure(random: sources.random()))) != nil else {
                        return
                    }
                }
            }
        }
    }

    /// Waits until the gateway has received the current conditions, or cannot receive them.
    func waitUntilRegistrationIsCurrent() async {
        await device.waitUntil {
            !$0.isConnected || [$0.lastReportedConditions, $0.lastUnreportedConditions].contains($0.deliveryConditions)
        }
    }

    /// The result of an attempt to connect.
    private struct Attempt {
        /// The reason for its end.
        var reason = "the stream ended"

        /// Whether something was received and applied, or the stream stayed open for a while.
        ///
        /// Otherwise the wait before the next attempt gets longer: a gateway may open streams and never send anything.
        var madeProgress = false

        /// Whether another agent has opened a stream with the same secret.
        ///
        /// To reconnect at once would disconnect that agent, which would then do the same, and so on.
        var wasReplaced = false
    }

    /// The minimum time in milliseconds for which a stream must stay open to count as progress.
    private static let minimumUptime = 5_000

    /// Registers the device if needed, and follows the stream until it ends.
    private func connectOnce() async -> Attempt {
        var attempt = Attempt()
        var openedAt: Timestamp?
        let (credential, client): (DeviceCredential, GatewayClient)
        do {
            (credential, client) = (try await updateRegistration(), try await self.client.withCourierURL())
        } catch {
            attempt.reason = "\(error)"
            return attempt
        }
        do {
            try await client.follow(with: credential.secret) {
                openedAt = sources.now()
                setConnected(true)
            } handle: { events in
                let appliedSequences = try await apply(events)
                if !appliedSequences.isEmpty { attempt.madeProgress = true }
                if let endEvent = events.last(where: { $0.type == "end" }) {
                    let streamEnd = try DocumentDecoder.decode(StreamEnd.self, fromDeepJSON: endEvent.data.utf8)
                    attempt.reason = streamEnd.message
                    attempt.wasReplaced = streamEnd.reason == .replaced
                }
                return appliedSequences
            }
        } catch CallError.refused(status: 401, _) {
            // A gateway without a durable store forgets its devices when it restarts.
            attempt.reason =
                device.removeCredential(with: credential.secret)
                ? "the gateway does not know this device; the agent registers it again"
                : "the secret of the device was replaced"
        } catch {
            attempt.reason = "\(error)"
        }
        if let openedAt, sources.now().rawValue - openedAt.rawValue >= Self.minimumUptime {
            attempt.madeProgress = true
        }
        return attempt
    }

    /// Sends an activity to another device, through the gateway.
    ///
    /// - Throws: `CallError`, `AgentError.offline` in Airplane Mode, or `AgentError.gateway` if the gateway refuses the
    ///   activity.
    func send(_ activity: HandedActivity, to token: DeviceToken) async throws {
        guard !device.model.isInAirplaneMode else { throw AgentError.offline(device.name) }
        let payload = try DocumentDecoder.decode(JSONValue.self, from: try JSONEncoder().encode(activity))
        let item = BatchItem(token: token, topic: .activities, payload: payload)
        let receipt = try await client.send(Array(try JSONEncoder().encode(item)))
        guard let rejection = receipt.results.first else { return }
        throw AgentError.gateway("the gateway refuses the activity: \(rejection.message ?? "\(rejection)")")
    }

    /// Gives the device another token; the gateway unregisters the earlier one.
    ///
    /// Only one rotation happens at a time, because each needs the token of the one before.
    ///
    /// - Returns: the earlier token.
    /// - Throws: `CallError`, `CancellationError`, `AgentError.offline` in Airplane Mode, `AgentError.notRegistered`
    ///   if the device has no token yet, or `AgentError.tokenReplaced` if the device has another token, and the gateway
    ///   does not make it active.
    @discardableResult
    func rotateToken() async throws -> DeviceToken {
        guard await beginRotation() else { throw CancellationError() }
        defer { device.endRotation() }
        let credential = try onlineCredential()
        let registered = try await client.rotate(credential.token, with: TokenRotation())
        // The earlier token has ended, even if the next request fails.
        defer { device.setToken(registered.token) }
        // A new token has the standing of the earlier one.
        guard registered.standing != .active else { return credential.token }
        do throws(CallError) {
            _ = try await client.setStanding(TokenStandingChange(standing: .active), of: registered.token)
        } catch {
            throw AgentError.tokenReplaced(before: .gateway("\(error)"))
        }
        return credential.token
    }

    /// Waits until no other rotation is in progress, and begins one; returns `false` if the task was canceled.
    private func beginRotation() async -> Bool {
        while !device.beginRotation() {
            await device.waitUntil { !$0.isRotating }
            if Task.isCancelled { return false }
        }
        return true
    }

    /// Returns the credential of a device that can be reached.
    private func onlineCredential() throws(AgentError) -> DeviceCredential {
        guard !device.model.isInAirplaneMode else { throw .offline(device.name) }
        guard let credential = device.credential else { throw .notRegistered(device.name) }
        return credential
    }

    /// Replaces the secret of the device; the stream and the tokens stay.
    ///
    /// If the answer is lost, the agent sends the same secret again before the next connection, or the next rotation.
    ///
    /// - Throws: `CallError`, `CancellationError`, `AgentError.offline` in Airplane Mode, `AgentError.notRegistered`
    ///   if the device has no secret yet, or `AgentError.credentialWriteFailed`.
    func rotateSecret() async throws {
        guard await beginRotation() else { throw CancellationError() }
        defer { device.endRotation() }
        let secret = try onlineCredential().secret
        // The first three digits are the range of the agent, which its tokens have, too.
        let range = String(secret.rawValue.prefix(3))
        let digits = (0..<4).map { _ in Hexadecimal.string(sources.randomBits64()) }.joined()
        try device.beginSecretRotation(to: BearerSecret(rawValue: range + digits.dropFirst(range.count)))
        try await sendNextSecret()
    }

    /// Completes a rotation of the secret whose answer is missing, before the secret is used.
    private func completeSecretRotation() async throws(CallError) {
        guard device.nextSecret != nil else { return }
        guard await beginRotation() else { throw .canceled }
        defer { device.endRotation() }
        do throws(CallError) {
            try await sendNextSecret()
        } catch {
            // A gateway that has lost its data has neither secret; the registration shows that.
            guard device.nextSecret == nil else { throw error }
        }
    }

    /// Sends the next secret to the gateway, and records the answer.
    private func sendNextSecret() async throws(CallError) {
        guard let credential = device.credential, let next = device.nextSecret else { return }
        do throws(CallError) {
            try await client.withCourierURL().rotate(credential.secret, with: SecretRotation(secret: next))
        } catch {
            device.record(StoredCredential.RotationAnswer(error))
            throw error
        }
        device.record(.accepted)
    }

    /// Unregisters the device and the tokens of its apps, if the gateway can be reached.
    func unregister() async {
        guard let credential = device.credential, !device.model.isInAirplaneMode else { return }
        let tokens = device.model.tokens
        for token in [credential.token] + (tokens.current + tokens.ended).compactMap(\.token) {
            do throws(CallError) {
                try await client.unregister(token)
            } catch .refused(status: 404, _) {
                // A gateway that has lost its data does not have the token.
            } catch {
                logger.notice(
                    "a removed device stays registered",
                    metadata: ["device": "\(device.name)", "reason": "\(error)"]
                )
                guard case .refused = error else { return }
            }
        }
    }

    /// Registers the device, or updates its topics and its power mode if it is registered.
    private func updateRegistration() async throws(CallError) -> DeviceCredential {
        try await completeSecretRotation()
        let (previousCredential, conditions) = (device.credential, device.deliveryConditions)
        let registered = try await register(as: previousCredential, for: conditions)
        let credential = DeviceCredential(token: registered.token, secret: registered.secret)
        device.setCredential(credential, replacing: previousCredential)
        if conditions.isLowPowerModeEnabled || previousCredential != nil {
            _ = try await client.setPower(
                DevicePower(constrained: conditions.isLowPowerModeEnabled),
                of: credential.token
            )
        }
        // After a rotation, the conditions may be those of the earlier token; `syncRegistration` sends them again.
        guard device.credential == credential else { return credential }
        device.lastUnreportedConditions = nil
        device.lastReportedConditions = conditions
        return credential
    }

    private func register(
        as previousCredential: DeviceCredential?,
        for conditions: DeliveryConditions
    ) async throws(CallError) -> DeviceCredential {
        var registration = DeviceRegistration(
            name: device.name,
            topics: conditions.topics,
            secret: previousCredential?.secret,
            token: previousCredential?.token,
            environment: conditions.environment,
            appEnvironments: conditions.appEnvironments.isEmpty ? nil : conditions.appEnvironments
        )
        do throws(CallError) {
            return try await client.register(registration)
        } catch {
            guard let previousCredential, case .refused(status: 404, _) = error else { throw error }
            guard device.removeCredential(with: previousCredential.secret) else {
                // The secret was replaced during the request.
                try await completeSecretRotation()
                return try await register(as: device.credential, for: conditions)
            }
            // A gateway without a durable store forgets its devices when it restarts.
            (registration.secret, registration.token) = (nil, nil)
            return try await client.register(registration)
        }
    }

    /// Applies notifications, and returns their sequences.
    ///
    /// They are acknowledged after that: an acknowledged notification is not sent again.
    private func apply(_ events: [ServerSentEvent]) async throws -> [Int] {
        var notifications: [DeliveredNotification] = []
        for event in events where event.type == "notification" {
            do {
                let data = Data(event.data.utf8)
                notifications.append(try DocumentDecoder.decode(DeliveredNotification.self, fromDeepJSON: data))
            } catch {
                // The notification is not acknowledged, so it stays in the inbox, and the delivery log shows it.
                let reason = DecodingError.sentence(of: error)
                logger.error("a notification cannot be read", metadata: ["id": "\(event.id)", "error": "\(reason)"])
            }
        }
        guard !notifications.isEmpty else { return [] }
        let reactions = try await device.apply(
            notifications.map { .notification(.notificationDelivered($0)) },
            at: sources.now()
        )
        for (notification, reaction) in zip(notifications, reactions) {
            for effect in reaction.effects { log(effect, notification.traceparent) }
        }
        return notifications.map(\.sequence)
    }

    private func log(_ effect: DeviceEffect, _ traceparent: TraceParent?) {
        var logger = logger
        // The names are those of OpenTelemetry ("Trace Context in non-OTLP Log Formats").
        logger[metadataKey: "trace_id"] = traceparent.map { "\($0.traceID)" }
        logger[metadataKey: "span_id"] = traceparent.map { "\($0.spanID)" }
        switch effect {
        case .notification(.notificationPosted(let notification)):
            logger.info("new notification", metadata: ["id": "\(notification.id)", "topic": "\(notification.topic)"])
        case .notification(.repetitionIgnored(let id)):
            logger.info("notification delivered again", metadata: ["id": "\(id)"])
        case .notification(.notificationDiscarded(let id, let topic)):
            logger.warning("no app for a notification", metadata: ["id": "\(id)", "topic": "\(topic)"])
        case .system, .sharing, .attribution, .notification, .scene, .token: break
        }
    }
}

extension StoredCredential.RotationAnswer {
    /// Creates the answer of a request that failed.
    fileprivate init(_ error: CallError) {
        switch error {
        case .refused(status: 401, _): self = .unknownSecret
        case .refused where error.isLastingRefusal: self = .refused
        case .refused, .unreachable, .unexpectedResponse, .canceled: self = .missing
        }
    }
}

extension Duration {
    /// The duration in seconds with one digit after the point.
    fileprivate var roundedText: String {
        let tenths = (self / .milliseconds(100)).rounded(.up)
        return "\(tenths / 10) s"
    }
}
