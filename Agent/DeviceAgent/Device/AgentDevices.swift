internal import LocalService
internal import ServiceLifecycle
internal import Synchronization

/// The devices of an agent.
final class AgentDevices: Service {
    private struct State {
        var runningDevices: [RunningDevice]

        /// The names of devices that are being added or removed.
        var reservedNames: Set<String> = []
    }

    /// Notifies waiters of changes to the list of devices: which devices there are, and which are connected.
    let changes: ChangeNotifier<Unkeyed>

    private let state: Mutex<State>
    private let newDevices: AsyncStream<RunningDevice>
    private let newDevicesContinuation: AsyncStream<RunningDevice>.Continuation

    init(_ devices: [RunningDevice], changes: ChangeNotifier<Unkeyed>) {
        self.changes = changes
        state = Mutex(State(runningDevices: devices))
        (newDevices, newDevicesContinuation) = AsyncStream.makeStream()
        for device in devices { newDevicesContinuation.yield(device) }
    }

    /// The devices, in the order in which they were added.
    var devices: [RunningDevice] {
        state.withLock(\.runningDevices)
    }

    /// Returns the device with a name; `-` is the first device.
    ///
    /// - Throws: `AgentError.unknownDevice` if there is none.
    func device(named name: String) throws(AgentError) -> RunningDevice {
        let devices = devices
        let device = devices.first { $0.store.name == name } ?? (name == "-" ? devices.first : nil)
        guard let device else { throw .unknownDevice(name) }
        return device
    }

    /// Creates devices, and runs them from now on.
    ///
    /// - Parameters:
    ///   - names: their names, which are reserved meanwhile.
    ///   - make: creates the devices.
    /// - Returns: the devices.
    /// - Throws: `AgentError.deviceExists` if a name is taken, or the error of `make`.
    func add(named names: [String], _ make: () async throws -> [RunningDevice]) async throws -> [RunningDevice] {
        try state.withLock { state throws(AgentError) in
            let usedNames = state.reservedNames.union(state.runningDevices.map(\.store.name))
            if let name = names.first(where: usedNames.contains) { throw .deviceExists(name) }
            state.reservedNames.formUnion(names)
        }
        defer { release(names) }
        let devices = try await make()
        state.withLock { $0.runningDevices += devices }
        for device in devices { newDevicesContinuation.yield(device) }
        changes.notify()
        return devices
    }

    /// Removes a device with everything that is stored of it, and unregisters it from the gateway.
    ///
    /// - Throws: `AgentError.unknownDevice` if there is none with the name.
    func remove(named name: String) async throws(AgentError) {
        let changesAfterRemoval = changes.watch()
        let removedDevice = state.withLock { state -> RunningDevice? in
            guard let index = state.runningDevices.firstIndex(where: { $0.store.name == name }) else { return nil }
            state.reservedNames.insert(name)
            return state.runningDevices.remove(at: index)
        }
        guard let removedDevice else { throw .unknownDevice(name) }
        removedDevice.store.remove()
        for await _ in changesAfterRemoval where !state.withLock({ $0.reservedNames.contains(name) }) { return }
    }

    private func release(_ names: [String]) {
        state.withLock { $0.reservedNames.subtract(names) }
        changes.notify()
    }

    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await device in newDevices.cancelOnGracefulShutdown() {
                group.addTask { try await self.run(device) }
            }
        }
    }

    /// Runs a device until a graceful shutdown, or until it is removed.
    private func run(_ device: RunningDevice) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await device.run() }
            group.addTask { await device.store.waitUntil(\.isRemoved) }
            try await group.next()
            group.cancelAll()
        }
        guard device.store.isRemoved else { return }
        defer { release([device.store.name]) }
        await device.session.unregister()
        try await device.store.shutDown()
    }

    /// Applies everything that is due by now on all devices.
    func applyDueChanges() async throws {
        for device in devices { try await device.applyDueChanges() }
    }

    /// Releases the system's resources of all devices.
    func shutDown() async throws {
        changes.end()
        for device in devices { try await device.store.shutDown() }
    }
}
