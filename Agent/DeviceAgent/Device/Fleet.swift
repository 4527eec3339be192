internal import LocalService
internal import ServiceLifecycle
internal import Synchronization

/// The devices of an agent: the one that it was started with, and its copies.
final class Fleet: Service {
    private struct State {
        var running: [RunningDevice]

        /// The names of copies that are in progress.
        var reserved: Set<String> = []
    }

    private let state: Mutex<State>
    private let arrivals: AsyncStream<RunningDevice>
    private let arrival: AsyncStream<RunningDevice>.Continuation

    /// The device that the agent was started with.
    let first: RunningDevice

    init(_ first: RunningDevice, copies: [RunningDevice]) {
        self.first = first
        state = Mutex(State(running: [first] + copies))
        (arrivals, arrival) = AsyncStream.makeStream()
        for device in [first] + copies { arrival.yield(device) }
    }

    /// The devices, in the order in which they were added.
    var devices: [RunningDevice] {
        state.withLock(\.running)
    }

    /// Returns the device with a name.
    ///
    /// - Throws: `AgentError.unknownDevice` if there is none.
    func device(named name: String) throws(AgentError) -> RunningDevice {
        guard let device = devices.first(where: { $0.store.name == name }) else { throw .unknownDevice(name) }
        return device
    }

    /// Creates a device, and runs it from now on.
    ///
    /// - Parameters:
    ///   - name: its name, which is reserved meanwhile.
    ///   - make: creates the device.
    /// - Returns: the device.
    /// - Throws: `AgentError.deviceExists` if the name is taken, or the error of `make`.
    func add(named name: String, _ make: () async throws -> RunningDevice) async throws -> RunningDevice {
        try state.withLock { state throws(AgentError) in
            let isTaken = state.running.contains { $0.store.name == name }
            guard !isTaken, state.reserved.insert(name).inserted else { throw .deviceExists(name) }
        }
        defer { state.withLock { _ = $0.reserved.remove(name) } }
        let device = try await make()
        state.withLock { $0.running.append(device) }
        arrival.yield(device)
        first.store.changes.notify()
        return device
    }

    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await device in arrivals.cancelOnGracefulShutdown() {
                group.addTask { try await device.run() }
            }
        }
    }

    /// Releases the system's resources of all devices.
    func shutDown() async throws {
        for device in devices { try await device.store.shutDown() }
    }
}
