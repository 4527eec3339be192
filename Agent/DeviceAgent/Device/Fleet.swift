internal import ServiceLifecycle
internal import Synchronization

/// The devices of an agent: the one that it was started with, and copies.
final class Fleet: Service {
    private let running: Mutex<[RunningDevice]>
    private let arrivals: AsyncStream<RunningDevice>
    private let arrival: AsyncStream<RunningDevice>.Continuation

    init(_ devices: [RunningDevice]) {
        running = Mutex(devices)
        (arrivals, arrival) = AsyncStream.makeStream()
        for device in devices { arrival.yield(device) }
    }

    /// The devices, in the order in which they came.
    var devices: [RunningDevice] {
        running.withLock(\.self)
    }

    /// The device of a name.
    ///
    /// - Throws: `AgentFault.unknownDevice`.
    func device(named name: String) throws(AgentFault) -> RunningDevice {
        guard let device = devices.first(where: { $0.device.name == name }) else { throw .unknownDevice(name) }
        return device
    }

    /// Adds a device and keeps it going from now on.
    ///
    /// - Throws: `AgentFault.deviceExists` where there is one of its name.
    func add(_ device: RunningDevice) throws(AgentFault) {
        try running.withLock { running throws(AgentFault) in
            guard !running.contains(where: { $0.device.name == device.device.name }) else {
                throw .deviceExists(device.device.name)
            }
            running.append(device)
        }
        arrival.yield(device)
    }

    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await device in arrivals.cancelOnGracefulShutdown() {
                group.addTask { try await device.run() }
            }
        }
    }

    /// Lets go of what the devices have of the system.
    func shutDown() async throws {
        for device in devices { try await device.device.shutDown() }
    }
}
