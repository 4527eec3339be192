import Foundation
import Testing

/// A raw TCP connection to a local port.
enum RawConnection {
    /// Sends a request with these headers and a short body to the listener at `url`, and returns the answer as text.
    static func answer(to request: String, headers: String, at url: String?) async throws -> String {
        let text = "\(request) HTTP/1.1\r\n\(headers)\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
        return String(decoding: try await exchange(Array(text.utf8), port: port(of: url)), as: UTF8.self)
    }

    /// Returns the port in the URL of a listener.
    static func port(of url: String?) throws -> UInt16 {
        try #require(url?.split(separator: ":").last.flatMap { UInt16($0) })
    }

    /// Sends `bytes` and returns the answer until the other end closes the connection.
    static func exchange(_ bytes: [UInt8], port: UInt16) async throws -> [UInt8] {
        // Waiting blocks a thread, and the gateway in this process needs all the threads that run tasks.
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try waitForExchange(bytes, port: port) }) }.start()
        }
    }

    private static func waitForExchange(_ bytes: [UInt8], port: UInt16) throws -> [UInt8] {
        let connection = try connect(port)
        defer { close(connection) }
        // Another thread sends the bytes while this one reads the answer, so neither side waits for the other.
        let isSent = DispatchSemaphore(value: 0)
        Thread {
            send(bytes, connection)
            isSent.signal()
        }
        .start()
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = recv(connection, &buffer, buffer.count, 0), count > 0 { answer += buffer[..<count] }
        shutdown(connection, Int32(SHUT_RDWR))
        isSent.wait()
        return answer
    }

    private static func connect(_ port: UInt16) throws -> Int32 {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return connection
    }

    private static func send(_ bytes: [UInt8], _ connection: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }
}
