package import GatewayStore
internal import Synchronization
package import WaypostSchema
internal import WaypostTestSupport

/// A second engine, for tests: a store in memory whose rules are those of `StoreOracle`, with any number of handles.
///
/// Each handle has events of what the others do. They are late, some come twice, and some are lost, which a gap follows.
package final class OracleStore: GatewayStore {
    /// How an append delivers.
    package enum Delivering: Sendable {
        /// By payloads only.
        case payloads

        /// By a payload, a nudge that is handed over, or a nudge that is an event, at random. Only handles that have the
        /// session of an agent get payloads and nudges for it. `losing` says whether events get lost.
        case mixed(seed: UInt64, losing: Bool = true)
    }

    let state: SharedState
    let handle: Int

    private init(_ state: SharedState, handle: Int) {
        self.state = state
        self.handle = handle
    }

    /// Returns handles on a new store.
    package static func open(
        handles: Int,
        delivering: Delivering = .payloads,
        logRetention: Int = 86_400
    ) -> [OracleStore] {
        let state = SharedState(handles: handles, delivering: delivering)
        state.contents.withLock { $0.oracle.logRetention = logRetention }
        return (0..<handles).map { OracleStore(state, handle: $0) }
    }

    package var durability: Durability {
        .memory
    }

    package var events: AsyncStream<StoreEvent> {
        state.queues[handle].events
    }

    package var isInPlace: Bool {
        true
    }

    package var waitingItems: Int {
        0
    }

    package func probe() async throws(StoreError) {}

    package var isShared: Bool {
        state.queues.count > 1
    }

    package func sendHeartbeat(from address: String?) async throws(StoreError) -> ClusterMembers {
        ClusterMembers(
            state.queues.indices.map {
                ClusterMembers.Member(
                    number: $0,
                    address: $0 == handle ? address : nil,
                    joinedAt: Timestamp(milliseconds: 0),
                    isSelf: $0 == handle
                )
            }
        )
    }

    package func forward(_ acknowledgement: Acknowledgement, of agent: AgentID) async throws(StoreError) -> Int {
        guard let owner = change({ $0.owners[agent] }), owner != handle else { return 0 }
        let count = await withCheckedContinuation { continuation in
            let requestID = change { contents in
                contents.lastRequest += 1
                contents.forwardedRequests[contents.lastRequest] = continuation
                return contents.lastRequest
            }
            let forwarded = ForwardedAcknowledgement(
                origin: handle,
                requestID: requestID,
                agent: agent,
                acknowledgement: acknowledgement
            )
            state.queues[owner].addWithoutLoss(.acknowledgementForwarded(forwarded))
        }
        guard let count else { throw .unavailable }
        return count
    }

    package func completeForwarded(_ forwarded: ForwardedAcknowledgement, removed count: Int?) {
        change { $0.forwardedRequests.removeValue(forKey: forwarded.requestID) }?.resume(returning: count)
    }

    package func close() throws {}

    /// Performs `work` in the next reset, after its change and before it returns.
    package func afterReset(_ work: @escaping @Sendable () async throws -> Void) {
        state.workAfterReset.set(work)
    }

    /// Performs `work` in the next read of a clock by any handle, after the read and before it returns.
    package func afterClockRead(_ work: @escaping @Sendable () async throws -> Void) {
        state.workAfterClockRead.set(work)
    }

    /// Makes appends, acknowledgements, new sessions and resets fail from now on; `nil` makes them succeed.
    package func fail(with error: StoreError?) {
        state.contents.withLock { $0.failure = error }
    }

    func check() throws(StoreError) {
        if let failure = state.contents.withLock(\.failure) { throw failure }
    }

    /// Runs `work` on the contents, at a time that matters for the log.
    func change<Value: Sendable>(at now: Timestamp? = nil, _ work: (inout Contents) -> Value) -> Value {
        state.contents.withLock { contents in
            if let now { contents.oracle.now = now }
            return work(&contents)
        }
    }

    /// Notifies the other handles.
    func notify(_ events: StoreEvent...) {
        for (number, queue) in state.queues.enumerated() where number != handle { queue.add(events) }
    }

    /// Notifies the other handles of changes, and returns them.
    func notify(_ changes: StoreChanges, in namespace: Namespace) -> StoreChanges {
        if changes != StoreChanges() { notify(.changed(changes, in: namespace)) }
        return changes
    }
}

/// The state that the handles of a store share.
final class SharedState: Sendable {
    let contents: Mutex<Contents>
    let queues: [EventQueue]
    let workAfterReset = OneTimeWork()
    let workAfterClockRead = OneTimeWork()

    init(handles: Int, delivering: OracleStore.Delivering) {
        var generator: SeededGenerator?
        var isLosing = false
        if case .mixed(let seed, let losing) = delivering {
            (generator, isLosing) = (SeededGenerator(seed: seed), losing)
        }
        queues = (0..<handles).map { _ in EventQueue(generator?.next(), losing: isLosing) }
        contents = Mutex(Contents(generator: generator))
    }
}

/// Work of a test that an operation performs once.
final class OneTimeWork: Sendable {
    private let work = Mutex<(@Sendable () async throws -> Void)?>(nil)

    func set(_ newWork: @escaping @Sendable () async throws -> Void) {
        work.withLock { $0 = newWork }
    }

    func perform() async throws(StoreError) {
        let nextWork = work.withLock { work in
            defer { work = nil }
            return work
        }
        do {
            try await nextWork?()
        } catch {
            throw .failed("\(error)")
        }
    }
}

/// The contents of a store.
struct Contents {
    var oracle = StoreOracle()
    var pending = PendingBatches()
    var faults = FaultScript()
    var keys: [StoreOracle.Place<ProviderKeyID>: ProviderKey] = [:]
    var channels: [StoreOracle.Place<ChannelID>: BroadcastChannel] = [:]
    var subscriptions: [StoreOracle.Place<DeviceToken>: Set<ChannelID>] = [:]

    /// The order in which devices were registered.
    var numbers: [StoreOracle.Place<DeviceToken>: Int] = [:]

    /// The handle that has the session of each agent.
    var owners: [AgentID: Int] = [:]

    /// The transient notifications that their streams have yet to read.
    var unread: [AgentID: [StoredNotification]] = [:]

    /// The error with which changes fail.
    var failure: StoreError?

    var lastDevice = 0
    var lastAgent = 0
    var lastBatch = 0
    var lastSequence = 0
    var lastEpoch = 0
    var lastRequest = 0

    /// The acknowledgements whose answers handles await.
    var forwardedRequests: [Int: CheckedContinuation<Int?, Never>] = [:]

    /// Chooses how to deliver; `nil` if there are only payloads.
    var generator: SeededGenerator?
}
