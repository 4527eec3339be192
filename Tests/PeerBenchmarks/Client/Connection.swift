import Glibc

/// A TCP connection to a server on this machine, with its buffers.
final class Connection {
    /// The purpose of a connection.
    enum Role {
        case sender, stream, acknowledger, control
    }

    let role: Role

    /// The number of its device or sender.
    let number: Int

    /// The index among the connections of its poller, which identifies it in events.
    let index: Int
    let descriptor: Int32
    var input = ByteQueue()
    var output = ByteQueue()

    /// Whether an answer is outstanding.
    var isBusy = false

    /// Whether the poller waits until the socket takes more output.
    var isBlocked = false

    init(_ role: Role, _ number: Int, index: Int, port: Int) throws {
        (self.role, self.number, self.index) = (role, number, index)
        descriptor = try Self.connect(port)
    }

    deinit {
        close(descriptor)
    }

    /// Sends as much of the output as the socket takes.
    func send() throws {
        while output.count > 0 {
            let count = Glibc.send(descriptor, output.bytes.baseAddress, output.count, Int32(MSG_NOSIGNAL))
            if count < 0 {
                if errno == EAGAIN || errno == EINTR || errno == ENOTCONN { return }
                throw Failure(call: "send")
            }
            output.consume(count)
        }
    }

    /// Returns the descriptor of a non-blocking socket that connects, or has connected, to a port of 127.0.0.1.
    private static func connect(_ port: Int) throws -> Int32 {
        let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let descriptor = socket(AF_INET, Int32(type), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = Loopback.address(port)
        let result = Loopback.withPointer(to: &address) { Glibc.connect(descriptor, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else {
            defer { close(descriptor) }
            throw Failure(call: "connect")
        }
        return descriptor
    }
}

/// Addresses of this machine, the only ones that a benchmark uses.
enum Loopback {
    static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }

    static func withPointer<Result>(
        to address: inout sockaddr_in,
        _ use: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Returns a port on which nothing listens, for servers that cannot choose one themselves.
    static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard withPointer(to: &address, { bind(descriptor, $0, $1) }) == 0,
            withPointer(to: &address, { pointer, _ in getsockname(descriptor, pointer, &length) }) == 0
        else { throw Failure(call: "bind") }
        return Int(in_port_t(bigEndian: address.sin_port))
    }

    /// Returns whether a server accepts connections to a port.
    static func accepts(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = address(port)
        return withPointer(to: &address) { Glibc.connect(descriptor, $0, $1) } == 0
    }
}
