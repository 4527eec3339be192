internal import NIOCore
internal import Synchronization
internal import WaypostSchema

/// The open connections of providers, on which faults can happen.
final class OpenProviderConnections: Sendable {
    /// A function that lets a fault happen on a connection, and returns whether the connection can have it.
    typealias Handler = @Sendable (ConnectionFault) -> EventLoopFuture<Bool>

    private struct State {
        var handlers: [Int: Handler] = [:]
        var streamLimit: Int?
    }

    private let state = Mutex(State())

    /// The limit of streams that a fault has set for all connections, if any.
    var streamLimit: Int? {
        state.withLock { $0.streamLimit }
    }

    /// Adds a connection.
    ///
    /// - Parameters:
    ///   - number: the number of the connection.
    ///   - handler: lets a later fault happen.
    /// - Returns: the limit of streams that an earlier fault has set, if any.
    func add(_ number: Int, _ handler: @escaping Handler) -> Int? {
        state.withLock { state in
            state.handlers[number] = handler
            return state.streamLimit
        }
    }

    /// Removes a connection, which is closed.
    func remove(_ number: Int) {
        _ = state.withLock { $0.handlers.removeValue(forKey: number) }
    }

    /// Lets a fault happen on every open connection, and returns when it has happened.
    func affect(_ fault: ConnectionFault) async -> ConnectionFaultReceipt {
        let handlers = state.withLock { state in
            if fault.kind == .limitStreams { state.streamLimit = fault.streams }
            return Array(state.handlers.values)
        }
        // All of them begin before the first one is awaited.
        let futures = handlers.map { $0(fault) }
        var receipt = ConnectionFaultReceipt(connections: 0)
        // The event loop of a connection ends only with the process.
        for future in futures {
            let isAffected = (try? await future.get()) ?? false
            if isAffected { receipt.connections += 1 }
        }
        return receipt
    }
}
