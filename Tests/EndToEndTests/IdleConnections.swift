import Foundation

/// Connections to a port of this machine that start HTTP/2 and then send nothing.
final class IdleConnections: Sendable {
    private let descriptors: [Int32]

    /// The HTTP/2 connection preface with an empty SETTINGS frame (RFC 9113, section 3.4).
    private static let clientPreface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

    /// Raises the limit of open files as far as the system permits.
    ///
    /// - Returns: Whether the process may open `count` connections in addition to its other files.
    static func canOpen(_ count: Int) -> Bool {
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0 else { return false }
        limit.rlim_cur = limit.rlim_max
        return setrlimit(files, &limit) == 0 && limit.rlim_cur >= count + 1_000
    }

    /// Opens `count` connections, and waits until the server has sent data on each one.
    init(_ count: Int, port: UInt16) async throws {
        descriptors = try await Self.onThread { () throws(POSIXError) in
            var descriptors: [Int32] = []
            do throws(POSIXError) {
                for _ in 0..<count { descriptors.append(try Self.open(port)) }
                for descriptor in descriptors { try Self.wait(for: POLLIN, of: descriptor) }
                return descriptors
            } catch {
                for descriptor in descriptors { close(descriptor) }
                throw error
            }
        }
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    /// Closes the first `count` connections, and waits until the server has closed them, too.
    func closeFirst(_ count: Int) async throws {
        let closing = descriptors.prefix(count)
        try await Self.onThread { () throws(POSIXError) in
            for descriptor in closing { shutdown(descriptor, Int32(SHUT_WR)) }
            for descriptor in closing { try Self.wait(for: POLLHUP, of: descriptor) }
        }
    }

    /// The number of connections that the server has not closed.
    var openCount: Int {
        descriptors.count { descriptor in
            var query = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&query, 1, 0) == 0
        }
    }

    /// Runs work that blocks on a thread of its own.
    private static func onThread<Value: Sendable>(
        _ work: @escaping @Sendable () throws(POSIXError) -> Value
    ) async throws -> Value {
        let result: Result<Value, POSIXError> = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }

    /// Waits for an event of a connection.
    ///
    /// - Throws: `ETIMEDOUT` after two minutes, because a thread cannot be canceled.
    private static func wait(for event: Int32, of descriptor: Int32) throws(POSIXError) {
        var query = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        let end = ContinuousClock.now + .seconds(120)
        while query.revents & Int16(event) == 0 {
            guard ContinuousClock.now < end, poll(&query, 1, 1_000) >= 0 else { throw POSIXError(.ETIMEDOUT) }
        }
    }

    private static func open(_ port: UInt16) throws(POSIXError) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let sentCount = clientPreface.withUnsafeBytes {
            send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard status == 0, sentCount == clientPreface.count else {
            let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            close(descriptor)
            throw error
        }
        return descriptor
    }
}
