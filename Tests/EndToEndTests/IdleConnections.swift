import Foundation

/// Connections to a port of this machine that start HTTP/2 and then send nothing.
final class IdleConnections: Sendable {
    private let descriptors: [Int32]

    /// The HTTP/2 connection preface with an empty SETTINGS frame (RFC 9113, section 3.4).
    private static let greeting = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

    /// Raises the limit of open files as far as the system permits.
    ///
    /// - Returns: Whether the process may open `count` connections in addition to its other files.
    static func areAllowed(_ count: Int) -> Bool {
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0 else { return false }
        limit.rlim_cur = limit.rlim_max
        return setrlimit(files, &limit) == 0 && limit.rlim_cur >= count + 1_000
    }

    /// Opens `count` connections, on a separate thread.
    init(_ count: Int, port: UInt16) async throws {
        let opened: Result<[Int32], POSIXError> = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var descriptors: [Int32] = []
                for _ in 0..<count {
                    guard let descriptor = Self.open(port) else {
                        let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
                        for descriptor in descriptors { close(descriptor) }
                        return continuation.resume(returning: .failure(error))
                    }
                    descriptors.append(descriptor)
                }
                continuation.resume(returning: .success(descriptors))
            }
        }
        descriptors = try opened.get()
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    /// The number of connections that the other end has not closed.
    var openCount: Int {
        descriptors.count { descriptor in
            var query = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&query, 1, 0) == 0
        }
    }

    private static func open(_ port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let sent = greeting.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard status == 0, sent == greeting.count else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
