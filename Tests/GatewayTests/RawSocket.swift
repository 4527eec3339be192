import Foundation

/// A raw TCP connection to a local port, which reads only on request.
///
/// Every call that waits uses its own thread: the gateway in this process needs the threads that run tasks.
struct RawSocket: ~Copyable, Sendable {
    private let descriptor: Int32

    /// Linux's `POLLRDHUP`, which Foundation does not export: the other end has stopped sending (poll(2)).
    private static let readHangUp: Int32 = 0x2000

    /// Connects, with a receive buffer of `receiveBuffer` bytes if it is given.
    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit {
        close(descriptor)
    }

    /// Sends a text that fits into the kernel's buffers.
    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Sends `bytes` until the other end disconnects, and returns whether it sent all of them.
    @discardableResult
    func send(_ bytes: [UInt8]) async -> Bool {
        let descriptor = descriptor
        return await onThread {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Closes the sending side of the connection.
    func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Waits until the other end closes the connection, without reading from it.
    func waitForHangUp() async {
        let descriptor = descriptor
        await onThread {
            let hangUp = Int16(Self.readHangUp | POLLHUP | POLLERR)
            var query = pollfd(fd: descriptor, events: hangUp, revents: 0)
            while query.revents & hangUp == 0 { poll(&query, 1, 1_000) }
        }
    }

    /// Reads until the other end closes the connection or `text` arrives, and returns everything that it read.
    func read(until text: String? = nil) async -> String {
        let descriptor = descriptor
        return await onThread {
            var answer: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
                answer += buffer[..<count]
                if let text, String(decoding: answer, as: UTF8.self).contains(text) { break }
            }
            return String(decoding: answer, as: UTF8.self)
        }
    }

    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: work()) }.start()
        }
    }
}
