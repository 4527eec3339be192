internal import DeviceModel
internal import GatewayClient
package import Histogram
package import LocalService
internal import NIOCore
internal import NIOPosix
package import WaypostSchema

/// The settings of a fleet.
package struct FleetSettings: Sendable {
    /// The number of devices.
    package var devices: Int

    /// The number of devices that share a credential and a stream.
    package var devicesPerCredential = 1

    /// The behavior.
    package var behavior = FleetBehavior()

    /// The topics for which the devices are registered besides those of their apps.
    package var topics: [Topic] = []

    /// The seed of everything that varies.
    package var seed = 1

    /// The number of devices whose events are recorded.
    package var recordedDevices = 0

    /// The number of credentials, each with a stream.
    package var credentials: Int {
        (devices + devicesPerCredential - 1) / devicesPerCredential
    }

    /// Creates settings with the defaults.
    ///
    /// - Parameter devices: the number of devices.
    package init(devices: Int) {
        self.devices = devices
    }
}

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
    private let loops: [NIOLoopBound<FleetLoop>]
    private let eventLoops: [any EventLoop]

    /// Prepares a fleet; `connect` connects it.
    ///
    /// - Parameters:
    ///   - settings: the settings.
    ///   - credentials: the credentials of the devices, from `FleetRegistration`.
    ///   - couriers: the courier listeners of the gateways; an agent tries another one with each connection.
    ///   - wallStart: the time of the start.
    ///   - makeObserver: makes the observer of an event loop.
    /// - Throws: an error if the event loops have ended.
    package init(
        _ settings: FleetSettings,
        _ credentials: [FleetCredential],
        couriers: [ListenAddress],
        wallStart: Timestamp,
        makeObserver: @escaping @Sendable () -> (any FleetObserver)? = { nil }
    ) async throws {
        self.credentials = credentials
        tokens = credentials.flatMap(\.tokens)
        let group = MultiThreadedEventLoopGroup.singleton
        eventLoops = Array(group.makeIterator())
        let start = NIODeadline.now()
        let description = settings.behavior.device
        var loops: [NIOLoopBound<FleetLoop>] = []
        for (number, loop) in eventLoops.enumerated() {
            let loopCredentials = stride(from: number, to: credentials.count, by: eventLoops.count)
                .map { ($0, credentials[$0]) }
            loops.append(
                try await loop.submit {
                    let agents = loopCredentials.map { index, credential in
                        let agent = FleetAgent(
                            index,
                            credential,
                            settings: settings,
                            description: description,
                            wallStart: wallStart
                        )
                        return (number: index, agent: agent, secret: credential.secret)
                    }
                    let part = FleetLoop(
                        agents,
                        on: loop,
                        couriers: couriers,
                        start: start,
                        seed: settings.seed,
                        observer: makeObserver()
                    )
                    return NIOLoopBound(part, eventLoop: loop)
                }.get()
            )
        }
        self.loops = loops
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
        for part in try await onEachLoop({ ($0.counts, $0.connectionTimes, $0.acknowledgementTimes) }) {
            snapshot.counts.add(part.0)
            snapshot.connectionTimes.add(part.1)
            snapshot.acknowledgementTimes.add(part.2)
        }
        return snapshot
    }

    /// Returns the events of the recorded devices, by token.
    package func journals() async throws -> [DeviceToken: [JournalEntry]] {
        let parts = try await onEachLoop { part in
            part.agents.flatMap { agent in
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
        let parts = try await onEachLoop { part in
            part.agents.flatMap(\.devices).flatMap { device in
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
        for (loop, part) in zip(eventLoops, loops) {
            values.append(try await loop.submit { body(part.value) }.get())
        }
        return values
    }
}

extension FleetAgent {
    /// Creates the agent of a credential.
    fileprivate init(
        _ index: Int,
        _ credential: FleetCredential,
        settings: FleetSettings,
        description: DeviceDescription,
        wallStart: Timestamp
    ) {
        let first = index * settings.devicesPerCredential
        let devices = credential.tokens.enumerated().map { offset, token in
            var ownDescription = description
            ownDescription.name = FleetRegistration.name(ofDevice: first + offset, description)
            let isRecorded = first + offset < settings.recordedDevices
            return FleetDevice(ownDescription, token: token, isRecorded: isRecorded, at: wallStart)
        }
        self.init(
            devices,
            settings.behavior.groups[settings.behavior.group(ofDevice: index)],
            maximumNotifications: settings.behavior.maximumNotifications,
            random: SeededRandom(seed: settings.seed, part: index),
            wallStart: wallStart
        )
    }
}
