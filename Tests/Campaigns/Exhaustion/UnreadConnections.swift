import Foundation
import Synchronization

/// Connections to ports of this machine that send something when they open, and read nothing.
final class UnreadConnections: Sendable {
    /// The request of a connection.
    struct Request: Sendable {
        /// The name in sentences.
        var name: String

        /// The port of the listener.
        var port: UInt16

        /// The bytes that are sent at once.
        var bytes: [UInt8]

        /// Whether the kernel receives as little as possible for this connection.
        var hasSmallBuffer = false
    }

    private struct Connection: Sendable {
        var descriptor: Int32
        var name: String
    }

    private let connections = Mutex<[Connection]>([])

    /// Linux's `POLLRDHUP`, which Foundation does not export: the other end has stopped sending (poll(2)).
    private static let readHangUp: Int32 = 0x2000

    /// Linux's `SO_SNDTIMEO`, which Foundation does not export: the limit on `connect` and `send` (socket(7)).
    private static let sendTimeout: Int32 = 21

    /// The time in seconds in which the kernel must accept a connection, and what is sent.
    private static let connectLimit = 20

    /// The number of descriptors that this process needs for all else.
    private static let otherDescriptorCount = 1_000

    deinit {
        closeAll()
    }

    /// Raises the limit of open files of this process, which its gateways inherit, as far as the system permits.
    ///
    /// Each end of a connection is in a process of its own, so each needs one descriptor.
    ///
    /// - Returns: Whether a process can have `count` connections.
    static func canOpen(_ count: Int) -> Bool {
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0 else { return false }
        limit.rlim_cur = limit.rlim_max
        return setrlimit(files, &limit) == 0 && limit.rlim_cur >= UInt(count + otherDescriptorCount)
    }

    /// Opens more connections, one after another.
    ///
    /// - Throws: `POSIXError` if one of them cannot be opened.
    func open(_ requests: [Request]) async throws {
        let opened: Result<[Connection], POSIXError> = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: Self.openAll(requests)) }
        }
        let added = try opened.get()
        connections.withLock { $0 += added }
    }

    /// Sends one more byte on every third connection.
    func sendByte(_ byte: UInt8) {
        let descriptors = connections.withLock { connections in
            connections.enumerated().filter { $0.offset % 3 == 0 }.map(\.element.descriptor)
        }
        for descriptor in descriptors {
            _ = [byte].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }
    }

    /// Returns the numbers of connections that the gateway has not closed, by the names of their requests.
    func openCounts() -> [String: Int] {
        let all = connections.withLock { $0 }
        return all.reduce(into: [:]) { counts, connection in
            var query = pollfd(fd: connection.descriptor, events: Int16(Self.readHangUp), revents: 0)
            if poll(&query, 1, 0) == 0 { counts[connection.name, default: 0] += 1 }
        }
    }

    /// Closes all connections.
    func closeAll() {
        let closing = connections.withLock { connections in
            defer { connections = [] }
            return connections
        }
        for connection in closing { close(connection.descriptor) }
    }

    private static func openAll(_ requests: [Request]) -> Result<[Connection], POSIXError> {
        var opened: [Connection] = []
        for request in requests {
            switch openOne(request) {
            case .success(let connection): opened.append(connection)
            case .failure(let error):
                for connection in opened { close(connection.descriptor) }
                return .failure(error)
            }
        }
        return .success(opened)
    }

    private static func openOne(_ request: Request) -> Result<Connection, POSIXError> {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return .failure(currentError()) }
        var limit = timeval(tv_sec: connectLimit, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, sendTimeout, &limit, socklen_t(MemoryLayout<timeval>.size))
        if request.hasSmallBuffer {
            var size: Int32 = 2_048
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = request.port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let sentCount = request.bytes.withUnsafeBytes {
            send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard status == 0, sentCount == request.bytes.count else {
            let error = currentError()
            close(descriptor)
            return .failure(error)
        }
        return .success(Connection(descriptor: descriptor, name: request.name))
    }

    private static func currentError() -> POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
