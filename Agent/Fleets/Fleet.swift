internal import DeviceModel
internal import GatewayClient
package import Histogram
package import LocalService
internal import NIOCore
internal import NIOPosix
package import WaypostSchema

/// Many devices in this process, each with a model, and with a stream of its own or of its credential.
package final class Fleet: Sendable {
    /// The state of a fleet at a time.
    package struct Snapshot: Sendable {
        /// The counts since the start.
        package var counts = FleetCounts()

        /// The times from the start of an attempt to connect to the open stream.
        package var connectionTimes = Histogram<UInt64>.microseconds

        /// The times from the arrival of a notification to the answer to its acknowledgement.
        package var acknowledgementTimes = Histogram<UInt64>.microseconds
    }

    /// The tokens of the devices, in their order.
    package let tokens: [DeviceToken]

    private let credentials: [FleetCredential]
    private let fleetLoops: [NIOLoopBound<FleetLoop>]
    private let eventLoops: [any EventLoop]

    /// Prepares a fleet; `connect` connects it.
    ///
    /// - Parameters:
    ///   - settings: the settings.
    ///   - credentials: the credentials of the devices, from `FleetRegistration`.
    ///   - couriers: the courier listeners of the gateways; an agent tries another one with each connection.
    ///   - startTime: the time of the start.
    ///   - makeObserver: makes the observer of an event loop.
    /// - Throws: an error if the event loops have ended.
    package init(
        _ settings: FleetSettings,
        _ credentials: [FleetCredential],
        couriers: [ListenAddress],
        startTime: Timestamp,
        makeObserver: @escaping @Sendable () -> (any FleetObserver)? = { nil }
    ) async throws {
        self.credentials = credentials
        tokens = credentials.flatMap(\.tokens)
        let group = MultiThreadedEventLoopGroup.singleton
        eventLoops = Array(group.makeIterator())
        let start = NIODeadline.now()
        let description = settings.behavior.device
        var fleetLoops: [NIOLoopBound<FleetLoop>] = []
        for (loopIndex, loop) in eventLoops.enumerated() {
            let loopCredentials = stride(from: loopIndex, to: credentials.count, by: eventLoops.count)
                .map { ($0, credentials[$0]) }
            fleetLoops.append(
                try await loop.submit {
                    let agents = loopCredentials.map { index, credential in
                        let agent = FleetAgentStateMachine(
                            index,
                            credential,
                            settings: settings,
                            description: description,
                            startTime: startTime
                        )
                        return (fleetIndex: index, agent: agent, secret: credential.secret)
                    }
                    let fleetLoop = FleetLoop(
                        agents,
                        on: loop,
                        couriers: couriers,
                        start: start,
                        seed: settings.seed,
                        observer: makeObserver()
                    )
                    return NIOLoopBound(fleetLoop, eventLoop: loop)
                }.get()
            )
        }
        self.fleetLoops = fleetLoops
    }

    /// Begins to connect all devices.
    package func connect() async throws {
        try await onEachLoop { $0.begin() }
    }

    /// Disconnects the devices of a storm, which connect again within its time.
    package func begin(_ storm: ReconnectStorm) async throws {
        try await onEachLoop { $0.begin(storm) }
    }

    /// Returns the state of the fleet.
    package func snapshot() async throws -> Snapshot {
        var snapshot = Snapshot()
        let results = try await onEachLoop { ($0.counts, $0.connectionTimes, $0.acknowledgementTimes) }
        for (counts, connectionTimes, acknowledgementTimes) in results {
            snapshot.counts.add(counts)
            snapshot.connectionTimes.add(connectionTimes)
            snapshot.acknowledgementTimes.add(acknowledgementTimes)
        }
        return snapshot
    }

    /// Returns the events of the recorded devices, by token.
    package func journals() async throws -> [DeviceToken: [JournalEntry]] {
        let parts = try await onEachLoop { fleetLoop in
            fleetLoop.agents.flatMap { agent in
                agent.devices.compactMap { device in device.journal.map { (device.token, $0) } }
            }
        }
        return Dictionary(parts.joined().map { $0 }) { first, _ in first }
    }

    /// Returns the notifications that never arrived on their devices.
    ///
    /// - Parameter expected: the notifications by the tokens of their devices.
    /// - Returns: the missing notifications.
    /// - Throws: an error if the event loops have ended.
    package func missingNotifications(
        among expected: [DeviceToken: [NotificationID]]
    ) async throws -> [NotificationID] {
        let parts = try await onEachLoop { fleetLoop in
            fleetLoop.agents.flatMap(\.devices).flatMap { device in
                (expected[device.token] ?? []).filter { !device.model.hasReceived($0) }
            }
        }
        return parts.flatMap(\.self)
    }

    /// Closes all connections.
    package func stop() async throws {
        try await onEachLoop { $0.stop() }
    }

    @discardableResult
    private func onEachLoop<Value: Sendable>(_ body: @escaping @Sendable (FleetLoop) -> Value) async throws -> [Value] {
        var values: [Value] = []
        for (loop, fleetLoop) in zip(eventLoops, fleetLoops) {
            values.append(try await loop.submit { body(fleetLoop.value) }.get())
        }
        return values
    }
}

extension FleetAgentStateMachine {
    /// Creates the agent of a credential.
    fileprivate init(
        _ index: Int,
        _ credential: FleetCredential,
        settings: FleetSettings,
        description: DeviceDescription,
        startTime: Timestamp
    ) {
        let first = index * settings.devicesPerCredential
        let devices = credential.tokens.enumerated().map { offset, token in
            var ownDescription = description
            ownDescription.name = FleetRegistration.name(ofDevice: first + offset, description)
            let isRecorded = first + offset < settings.recordedDeviceCount
            return FleetDevice(ownDescription, token: token, isRecorded: isRecorded, at: startTime)
        }
        self.init(
            devices,
            settings.behavior.groups[settings.behavior.groupIndex(ofDevice: index)],
            maximumNotifications: settings.behavior.maximumNotifications,
            random: SeededRandom(seed: settings.seed, part: index),
            startTime: startTime
        )
    }
}
