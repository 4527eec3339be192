internal import Glibc

/// A port of the loopback address 127.0.0.1 that the system assigns to no other process while this value exists.
///
/// A child process listens on it, ends, and listens on it again. A socket of this process is bound to the port all the
/// time and never listens. Both sockets have `SO_REUSEADDR`, which allows the child to bind its own (Linux, socket(7));
/// the system skips a bound port if it looks for a free one.
package final class ReservedPort: Sendable {
    /// The address with the port, such as `127.0.0.1:40123`.
    package let address: String

    private let socket: Int32

    /// Returns whether a port is free.
    package static func isFree(_ port: Int) -> Bool {
        (try? ReservedPort(port)) != nil
    }

    /// Reserves a port; any free one if `port` is 0.
    ///
    /// - Throws: `ProcessFailure` if it is in use, or none is free.
    package init(_ port: Int = 0) throws(ProcessFailure) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.socket = socket
        var reuse: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var socketAddress = sockaddr_in()
        socketAddress.sin_family = sa_family_t(AF_INET)
        socketAddress.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        socketAddress.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &socketAddress) { socketAddress in
            socketAddress.withMemoryRebound(to: sockaddr.self, capacity: 1) { socketAddress in
                bind(socket, socketAddress, size) == 0 && getsockname(socket, socketAddress, &size) == 0
            }
        }
        address = "127.0.0.1:\(in_port_t(bigEndian: socketAddress.sin_port))"
        guard isBound else {
            throw .failed("no port of 127.0.0.1 is free: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(socket)
    }
}
