internal import Dispatch
internal import Foundation
internal import GatewayStore
internal import Synchronization
internal import WaypostSchema

/// Exchanges events between the handles on a store: each sends its own to the others with `NOTIFY`.
///
/// They are sent after their transaction, on a separate connection, because a commit with `NOTIFY` would wait for the
/// commits of all other gateways. Events that come together are sent together.
final class EventBus: Sendable {
    /// The events of the other handles.
    let events: AsyncStream<StoreEvent>

    private static let channel = "waypost"

    /// The acknowledgements that were forwarded to other gateways.
    let forwardedRequests = ForwardedRequests()

    private struct SendBuffer {
        var parts: [EventMessage.Part] = []
        var isSending = false
        var isClosed = false
    }

    private let connector: PostgresConnector
    private let handle: CurrentStoreHandle
    private let handleNumber: Int
    private let sendBuffer = Mutex(SendBuffer())
    private let sendQueue = DispatchQueue(label: "the events to other gateways")
    private let sendConnection = Mutex<PostgresConnection?>(nil)
    private let receiveQueue = DispatchQueue(label: "the events from other gateways")
    private let continuation: AsyncStream<StoreEvent>.Continuation
    private let wakeUpPipe: Pipe

    /// Listens to the other handles from now on, and shows them that this one is alive.
    init(_ connector: PostgresConnector, handle: CurrentStoreHandle) throws(PostgresError) {
        self.connector = connector
        self.handle = handle
        handleNumber = handle.value.number
        (events, continuation) = AsyncStream.makeStream(of: StoreEvent.self)
        wakeUpPipe = Pipe()
        let connection = try Self.listen(connector, handle.value)
        // The queue's thread is the only one that uses the connection from now on.
        let initialConnection = Mutex<PostgresConnection?>(connection)
        receiveQueue.async { [self] in
            receive(initialConnection.withLock { $0.take() })
        }
    }

    /// Sends events to the other handles; if they cannot be sent, a gap follows as soon as possible.
    func send(_ events: [StoreEvent]) {
        send(events.map(EventMessage.Part.event))
    }

    /// Sends the events again that could not be sent.
    func resend() {
        if !sendBuffer.withLock(\.parts.isEmpty) { send([EventMessage.Part.event(.gap)]) }
    }

    /// Forwards an acknowledgement to a gateway, and returns the number of notifications that it removed.
    func forward(
        _ acknowledgement: Acknowledgement,
        of agent: AgentID,
        to gateway: Int
    ) async throws(StoreError) -> Int {
        let result: Result<Int, StoreError> = await withCheckedContinuation { continuation in
            let requestID = forwardedRequests.add { continuation.resume(returning: $0) }
            let forwarded = ForwardedAcknowledgement(
                origin: handleNumber,
                requestID: requestID,
                agent: agent,
                acknowledgement: acknowledgement
            )
            send([.request(forwarded, gateway: gateway)])
        }
        return try result.get()
    }

    /// Responds to another handle's request.
    func completeForwarded(_ forwarded: ForwardedAcknowledgement, removed count: Int?) {
        send([.response(origin: forwarded.origin, requestID: forwarded.requestID, count: count)])
    }

    private func send(_ parts: [EventMessage.Part]) {
        guard !parts.isEmpty else { return }
        let isIdle = sendBuffer.withLock { sendBuffer in
            guard !sendBuffer.isClosed else { return false }
            sendBuffer.parts += parts
            defer { sendBuffer.isSending = true }
            return !sendBuffer.isSending
        }
        if isIdle { sendQueue.async { [self] in sendAll() } }
    }

    /// Adds an event of this handle's own, such as a gap.
    func yield(_ event: StoreEvent) {
        continuation.yield(event)
    }

    /// Sends the waiting events and closes the connections.
    func close() {
        sendBuffer.withLock { $0.isClosed = true }
        sendQueue.sync {
            sendAll()
            sendConnection.withLock { $0 = nil }
        }
        forwardedRequests.close()
        try? wakeUpPipe.fileHandleForWriting.close()
        receiveQueue.sync {}
        continuation.finish()
    }

    private func sendAll() {
        while true {
            let parts = sendBuffer.withLock { sendBuffer in
                defer { sendBuffer.parts = [] }
                if sendBuffer.parts.isEmpty { sendBuffer.isSending = false }
                return sendBuffer.parts
            }
            guard !parts.isEmpty else { return }
            let messages = EventMessage.messages(of: parts, from: handleNumber)
            // The second attempt has a new connection. What was sent twice is no problem, what was not becomes a gap.
            guard !notify(messages),
                !notify(messages + EventMessage.messages(of: [.event(.gap)], from: handleNumber))
            else { continue }
            sendBuffer.withLock { sendBuffer in
                sendBuffer.parts = [.event(.gap)]
                sendBuffer.isSending = false
            }
            return
        }
    }

    private func notify(_ messages: [String]) -> Bool {
        sendConnection.withLock { connection in
            do {
                let openConnection = try connection ?? connector.connect()
                connection = openConnection
                _ = try openConnection.run(
                    "SELECT pg_notify('\(Self.channel)', message) FROM unnest($1::text[]) AS message",
                    [.texts(messages)]
                )
                return true
            } catch {
                connector.reportFailure(error)
                connection = nil
                return false
            }
        }
    }

    /// Opens the connection that listens, and that keeps the lock which shows that this handle is alive.
    private static func listen(
        _ connector: PostgresConnector,
        _ handle: StoreHandle
    ) throws(PostgresError) -> PostgresConnection {
        let connection = try connector.connect()
        // The server may still have the former connection, which has the lock.
        try connection.send("SET lock_timeout = '3s'")
        _ = try connection.run("SELECT pg_advisory_lock($1)", [.integer(handle.lockKey)])
        _ = try connection.run("LISTEN \(channel)")
        return connection
    }

    /// Passes on events until the event bus is closed; a lost connection is opened again, and a gap follows.
    private func receive(_ first: PostgresConnection?) {
        var connection = first
        while true {
            if let openConnection = connection {
                guard wait(for: openConnection.descriptor, milliseconds: -1) else { return }
                do throws(PostgresError) {
                    for message in try openConnection.readNotifications() { dispatch(message) }
                } catch {
                    connector.reportFailure(error)
                    connection = nil
                }
                continue
            }
            connection = try? Self.listen(connector, handle.value)
            if connection != nil {
                continuation.yield(.gap)
            } else {
                guard wait(for: -1, milliseconds: 500) else { return }
            }
        }
    }

    private func dispatch(_ message: String) {
        guard let message = EventMessage(message) else {
            continuation.yield(.gap)
            return
        }
        guard message.handleNumber != handleNumber else { return }
        for part in message.parts {
            switch part {
            case .event(let event): continuation.yield(event)
            case .request(let forwarded, let gateway):
                if gateway == handle.value.gateway { continuation.yield(.acknowledgementForwarded(forwarded)) }
            case .response(let origin, let requestID, let count):
                if origin == handleNumber { forwardedRequests.finish(requestID, count) }
            }
        }
    }

    /// Waits for input on a connection; returns `false` if the event bus is closed.
    private func wait(for descriptor: Int32, milliseconds: Int32) -> Bool {
        var waits = [
            pollfd(fd: wakeUpPipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&waits, 2, milliseconds)
        return waits[0].revents == 0
    }
}
