import CEpoll
import Glibc

/// The connections of a client with one thread, and `epoll` to wait for them.
final class Poller {
    private let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: 1_024)
    private let arrivals = UnsafeMutablePointer<UInt8>.allocate(capacity: arrivalSize)
    private var connections: ContiguousArray<Connection> = []
    private static let arrivalSize = 1 << 18

    /// The end of the time that a client may take, so that a server that loses something does not stop the benchmark.
    private let deadline = Clock.now + 180_000_000_000

    deinit {
        close(descriptor)
        events.deallocate()
        arrivals.deallocate()
    }

    /// Opens a connection to a port of this machine.
    func connect(_ role: Connection.Role, _ number: Int, port: Int) throws -> Connection {
        let connection = try Connection(role, number, index: connections.count, port: port)
        connections.append(connection)
        try control(EPOLL_CTL_ADD, connection)
        return connection
    }

    /// Sends the output of a connection; the rest follows while the poller waits.
    func flush(_ connection: Connection) throws {
        try connection.send()
        let isBlocked = connection.output.count > 0
        guard isBlocked != connection.isBlocked else { return }
        connection.isBlocked = isBlocked
        try control(EPOLL_CTL_MOD, connection)
    }

    /// Returns the bytes that have arrived, valid until the next call.
    ///
    /// All connections share the memory for them, so that idle connections need none. If more bytes have arrived, the
    /// connection is ready again the next time the poller waits.
    func receive(from connection: Connection) throws -> UnsafeBufferPointer<UInt8> {
        let count = recv(connection.descriptor, arrivals, Self.arrivalSize, 0)
        guard count != 0 else { throw Failure("a server closed a connection") }
        guard count > 0 || errno == EAGAIN || errno == EINTR else { throw Failure(call: "recv") }
        return UnsafeBufferPointer(start: arrivals, count: max(0, count))
    }

    /// Waits for events, and calls `handle` with each connection from which something can be read.
    func wait(milliseconds: Int, _ handle: (Connection) throws -> Void) throws {
        let count = epoll_wait(descriptor, events, 1_024, Int32(milliseconds))
        guard count >= 0 || errno == EINTR else { throw Failure(call: "epoll_wait") }
        guard Clock.now < deadline else { throw Failure("the server did not finish within three minutes") }
        for index in 0..<max(0, Int(count)) {
            let connection = connections[Int(events[index].data.u64)]
            let kinds = events[index].events
            if kinds & EPOLLOUT.rawValue != 0 { try flush(connection) }
            if kinds & ~EPOLLOUT.rawValue != 0 { try handle(connection) }
        }
    }

    private func control(_ operation: Int32, _ connection: Connection) throws {
        let kinds = EPOLLIN.rawValue | (connection.isBlocked ? EPOLLOUT.rawValue : 0)
        var event = epoll_event(events: kinds, data: epoll_data(u64: UInt64(connection.index)))
        guard epoll_ctl(descriptor, operation, connection.descriptor, &event) == 0 else {
            throw Failure(call: "epoll_ctl")
        }
    }
}
