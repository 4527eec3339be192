import Foundation

/// A TCP socket of the loopback interface, whose calls block their thread.
///
/// It is closed when its last reference is released, so another thread never uses the descriptor of a new socket.
final class LoopbackSocket: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) throws {
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.descriptor = descriptor
    }

    private convenience init() throws {
        try self.init(socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
    }

    deinit {
        close(descriptor)
    }

    /// Returns a port that no program listens to.
    static func freePort() throws -> Int {
        try LoopbackSocket.listening().port
    }

    /// Returns a socket that listens to a free port.
    static func listening() throws -> LoopbackSocket {
        let listener = try LoopbackSocket()
        guard listener.withAddress(port: 0, { bind(listener.descriptor, $0, $1) }) == 0,
            listen(listener.descriptor, 128) == 0
        else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return listener
    }

    /// Returns a socket that is connected to a port.
    static func connected(to port: Int) throws -> LoopbackSocket {
        let client = try LoopbackSocket()
        guard client.withAddress(port: port, { connect(client.descriptor, $0, $1) }) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        client.sendAtOnce()
        return client
    }

    /// Waits for a connection; `nil` if the socket was shut down.
    func accepted() -> LoopbackSocket? {
        while true {
            let accepted = accept(descriptor, nil, nil)
            if accepted < 0 && (errno == EINTR || errno == ECONNABORTED) { continue }
            let client = try? LoopbackSocket(accepted)
            client?.sendAtOnce()
            return client
        }
    }

    /// The local port.
    var port: Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Waits for bytes; `nil` at the end of the connection.
    func read() -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            var received = -1
            repeat {
                received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            } while received < 0 && errno == EINTR
            count = max(received, 0)
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Writes all bytes; returns whether the connection is still open.
    func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let next = UnsafeRawBufferPointer(rebasing: rest)
                let count = send(descriptor, next.baseAddress, next.count, Int32(MSG_NOSIGNAL))
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Ends the connection in both directions, and wakes the threads that wait for it.
    func shutDown() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private func sendAtOnce() {
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Calls `body` with the loopback address and a port.
    private func withAddress<Value>(
        port: Int,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                body(address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
