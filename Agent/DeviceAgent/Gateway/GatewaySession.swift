internal import DeviceModel
internal import Foundation
internal import GatewayClient
internal import LocalService
internal import Logging
internal import ServiceLifecycle
internal import WaypostSchema

/// The agent's end of the courier's stream: it registers the device, follows the stream, applies what comes and
/// acknowledges what is applied; when the gateway goes away it comes back.
struct GatewaySession: Service {
    let device: DeviceStore
    let client: GatewayClient
    let sources: AgentSources
    let logger: Logger

    /// Called each time the stream opens.
    let onConnected: @Sendable () -> Void

    func run() async throws {
        try await cancelWhenGracefulShutdown { try await keepConnected() }
    }

    private func keepConnected() async throws {
        var backoff = ReconnectBackoff()
        while !Task.isCancelled {
            await device.waitUntil { !$0.model.isInAirplaneMode }
            let ended = await connectWhileOnline()
            device.isConnected = false
            guard let attempt = ended else { continue }
            if Task.isCancelled { return }
            if attempt.wasOfUse { backoff.noteSuccess() }
            let wait = attempt.wasReplaced ? ReconnectBackoff.longest : backoff.noteFailure(random: sources.random())
            logger.notice(
                "not connected to the gateway",
                metadata: ["reason": "\(attempt.reason)", "retry": "\(wait)"]
            )
            do { try await sources.sleep(wait) } catch { return }
        }
    }

    /// Follows the stream to its end; `nil` where Airplane Mode ended it.
    private func connectWhileOnline() async -> Attempt? {
        await withTaskGroup(of: Attempt?.self) { group in
            group.addTask { await connectOnce() }
            group.addTask {
                await device.waitUntil(\.model.isInAirplaneMode)
                return nil
            }
            group.addTask {
                await keepGatewayTold()
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// Tells the gateway, while the stream is open, whenever the device takes other topics or its power is another.
    private func keepGatewayTold() async {
        for await _ in device.changes.watch() {
            var backoff = ReconnectBackoff()
            while device.isConnected, device.told != device.notice, device.unheard != device.notice || backoff.isTrying
            {
                let notice = device.notice
                do throws(CallError) {
                    _ = try await registered()
                } catch {
                    device.unheard = notice
                    logger.notice("the gateway is not told what changed", metadata: ["reason": "\(error)"])
                    // What is refused is told again when the device connects again.
                    if case .refused(let status, _) = error, status < 500 { break }
                    guard (try? await sources.sleep(backoff.noteFailure(random: sources.random()))) != nil else {
                        return
                    }
                }
            }
        }
    }

    /// Waits until the gateway knows of the device what there is to know, where it can be told.
    func untilGatewayIsTold() async {
        await device.waitUntil { !$0.isConnected || [$0.told, $0.unheard].contains($0.notice) }
    }

    /// How an attempt to be connected ended.
    private struct Attempt {
        /// Why it ended.
        var reason = "the stream ended"

        /// Whether something was received and acknowledged, or the stream stood for a while: a gateway that only opens
        /// streams is not worth a hurry.
        var wasOfUse = false

        /// Whether another agent has opened a stream with the same secret: coming back at once would take it away from that
        /// one, and so on for ever.
        var wasReplaced = false
    }

    /// How long a stream stands before it was of use, in milliseconds.
    private static let timeToBeOfUse = 5_000

    /// Registers the device where it is not, and follows the stream to its end.
    private func connectOnce() async -> Attempt {
        var attempt = Attempt()
        var opened: Timestamp?
        let (credential, client): (DeviceCredential, GatewayClient)
        do {
            (credential, client) = (try await registered(), try await self.client.locatingCourier())
        } catch {
            attempt.reason = "\(error)"
            return attempt
        }
        do {
            try await client.follow(with: credential.secret) {
                opened = sources.now()
                device.isConnected = true
                onConnected()
            } handle: { events in
                if try await take(events, credential, client) > 0 { attempt.wasOfUse = true }
                guard let end = events.last(where: { $0.type == "end" }) else { return }
                let reason = try JSONDecoder().decode(StreamEnd.self, from: Data(end.data.utf8))
                attempt.reason = reason.message
                attempt.wasReplaced = reason.reason == .replaced
            }
        } catch CallError.refused(status: 401, _) where device.credential != nil {
            // The gateway has forgotten the device, as one without a durable store does when it is started again.
            device.setCredential(nil)
            attempt.reason = "the gateway does not know this device; it is registered again"
        } catch {
            attempt.reason = "\(error)"
        }
        if let opened, sources.now().rawValue - opened.rawValue >= Self.timeToBeOfUse { attempt.wasOfUse = true }
        return attempt
    }

    /// Hands an activity on to another device, through the gateway.
    ///
    /// - Throws: `CallError`, or `AgentError.gateway` where the gateway does not take it.
    func send(_ activity: HandedActivity, to token: DeviceToken) async throws {
        guard !device.model.isInAirplaneMode else { throw AgentError.offline(device.name) }
        let payload = try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(activity))
        let item = BatchItem(token: token, topic: .activities, payload: payload)
        let receipt = try await client.send(Array(try JSONEncoder().encode(item)))
        guard let rejected = receipt.results.first else { return }
        throw AgentError.gateway("the gateway refuses the activity: \(rejected.message ?? "\(rejected)")")
    }

    /// Registers the device where the gateway does not know it; who is known says again what it takes.
    private func registered() async throws(CallError) -> DeviceCredential {
        let (known, notice) = (device.credential, device.notice)
        let credential = try await register(as: known, for: notice.topics)
        if credential != known { device.setCredential(credential) }
        if notice.isLowPowerModeEnabled || known != nil {
            try await client.setPower(isLowPowerModeEnabled: notice.isLowPowerModeEnabled, of: credential.token)
        }
        device.unheard = nil
        device.told = notice
        return credential
    }

    private func register(
        as known: DeviceCredential?,
        for topics: [Topic]
    ) async throws(CallError) -> DeviceCredential {
        let registration = DeviceRegistration(
            name: device.name,
            topics: topics,
            secret: known?.secret,
            token: known?.token
        )
        do throws(CallError) {
            return try await client.register(registration)
        } catch {
            guard known != nil, case .refused(status: 404, _) = error else { throw error }
            // The gateway has forgotten the device, as one without a durable store does when it is started again.
            device.setCredential(nil)
            return try await client.register(DeviceRegistration(name: device.name, topics: topics))
        }
    }

    /// Applies notifications and then acknowledges them, in this order: what is acknowledged is not sent again.
    ///
    /// - Parameters:
    ///   - events: what the stream brought.
    ///   - credential: the device's.
    ///   - client: what knows where to acknowledge.
    /// - Returns: how many were acknowledged.
    /// - Throws: `CallError`.
    private func take(
        _ events: [ServerSentEvent],
        _ credential: DeviceCredential,
        _ client: GatewayClient
    ) async throws -> Int {
        var delivered: [DeliveredNotification] = []
        for event in events where event.type == "notification" {
            do {
                let data = Data(event.data.utf8)
                delivered.append(try JSONDecoder().decode(DeliveredNotification.self, from: data))
            } catch {
                // Left in the inbox, where it can be looked at.
                logger.error("a notification cannot be read", metadata: ["id": "\(event.id)", "error": "\(error)"])
            }
        }
        guard !delivered.isEmpty else { return 0 }
        let reactions = try await device.apply(delivered.map { .notificationDelivered($0) }, at: sources.now())
        for effect in reactions.flatMap(\.effects) { log(effect) }
        return try await client.acknowledge(.sequences(delivered.map(\.sequence)), with: credential.secret).acknowledged
    }

    private func log(_ effect: DeviceEffect) {
        switch effect {
        case .notificationPosted(let notification):
            logger.info("notification", metadata: ["id": "\(notification.id)", "topic": "\(notification.topic)"])
        case .repetitionIgnored(let id):
            logger.info("notification delivered again", metadata: ["id": "\(id)"])
        case .notificationDiscarded(let id, let topic):
            logger.warning("no app for a notification", metadata: ["id": "\(id)", "topic": "\(topic)"])
        case .sceneActivated, .sceneOpened, .urlOpened, .sceneLeft, .activityOffered, .deviceRestored, .nothingToOpen,
            .associationUpdated,
            .highlightsChanged, .automaticSharingConsidered,
            .eventIgnored,
            .attributionProvided, .presentationChanged, .conversationPresented, .disambiguationPresented, .messageSent,
            .contentReturned, .menuItemChosen:
            break
        }
    }
}
