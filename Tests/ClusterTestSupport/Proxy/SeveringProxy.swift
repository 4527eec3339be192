import Foundation
import Synchronization
import WaypostTestSupport

/// A TCP proxy between a client and a PostgreSQL server, which can end connections, and have
/// the client stopped, at chosen moments.
///
/// Its threads are its own, because the tests may have few, and none of them may block.
final class SeveringProxy: Sendable {
    private struct State {
        var connections: [ObjectIdentifier: ProxiedConnection] = [:]
        var cut: CommitCut?
        var (planned, cuts) = (0, 0)
        var refusesAfterCut = false
        var stop: TransactionStop?
        var isRefusing = false
        var isClosed = false
    }

    /// The port to which clients connect.
    let port: Int

    private let upstream: Int
    private let listener: LoopbackSocket
    private let state = Mutex(State())

    /// Starts a proxy for the server that listens to the port `upstream`, now or later.
    static func start(to upstream: Int) throws -> SeveringProxy {
        let proxy = SeveringProxy(try LoopbackSocket.listening(), to: upstream)
        // The thread does not keep the proxy alive while it waits.
        Thread.detachNewThread { [weak proxy, listener = proxy.listener] in
            while let client = listener.accepted() { proxy?.connect(client) }
        }
        return proxy
    }

    private init(_ listener: LoopbackSocket, to upstream: Int) {
        self.listener = listener
        self.upstream = upstream
        port = listener.port
    }

    deinit {
        close()
    }

    /// The number of open connections.
    var connectionCount: Int {
        state.withLock(\.connections.count)
    }

    /// The number of open connections on which the client listens to notifications.
    var listeningCount: Int {
        connections.count(where: \.isListening)
    }

    /// Ends all connections; clients can connect again.
    func severAll() {
        for connection in connections { connection.sever() }
    }

    /// Ends the connections on which clients listen to notifications.
    func severListeners() {
        for connection in connections where connection.isListening { connection.sever() }
    }

    /// Plans a cut of the next connection whose client commits a transaction.
    ///
    /// - Parameters:
    ///   - cut: the cut.
    ///   - refusesAfterwards: whether new connections are refused from then on, until `acceptAgain`. So the client
    ///     cannot ask for the outcome of its transaction.
    func planCut(_ cut: CommitCut, refusesAfterwards: Bool = false) {
        state.withLock { state in
            state.cut = cut
            state.planned += 1
            state.refusesAfterCut = refusesAfterwards
        }
    }

    /// Accepts new connections again.
    func acceptAgain() {
        state.withLock { $0.isRefusing = false }
    }

    /// Waits until the planned cut has happened.
    func waitForCut() async throws {
        try await waitUntil("a client commits", within: .clusterWait) {
            state.withLock { $0.cuts == $0.planned }
        }
    }

    /// Plans to stop the client in a transaction.
    func plan(_ stop: TransactionStop) {
        state.withLock { $0.stop = stop }
    }

    /// Ends all connections, and accepts no more.
    func close() {
        state.withLock { $0.isClosed = true }
        listener.shutDown()
        severAll()
    }

    private var connections: [ProxiedConnection] {
        state.withLock { Array($0.connections.values) }
    }

    /// Connects a client to the server, in a thread of its own, because a server that is stopped does not answer.
    private func connect(_ client: LoopbackSocket) {
        Thread.detachNewThread { [self] in
            guard let server = try? LoopbackSocket.connected(to: upstream) else { return client.shutDown() }
            let connection = ProxiedConnection(
                client: client,
                server: server,
                takeCut: { [weak self] in self?.takeCut() },
                noteCut: { [weak self] in self?.state.withLock { $0.cuts += 1 } },
                plannedStop: { [weak self] in self?.state.withLock(\.stop) }
            )
            add(connection)
        }
    }

    private func takeCut() -> CommitCut? {
        state.withLock { state in
            guard let cut = state.cut.take() else { return nil }
            state.isRefusing = state.refusesAfterCut
            return cut
        }
    }

    private func add(_ connection: ProxiedConnection) {
        let identifier = ObjectIdentifier(connection)
        let isRefused = state.withLock { state in
            let isRefused = state.isClosed || state.isRefusing
            if !isRefused { state.connections[identifier] = connection }
            return isRefused
        }
        guard !isRefused else { return connection.sever() }
        connection.start { [weak self] in
            self?.state.withLock { $0.connections[identifier] = nil }
        }
    }
}
