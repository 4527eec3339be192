import GatewayTestSupport
import Testing
import WaypostSchema

@testable import Gateway

/// The host of a request of HTTP/1.1, on each listener of a gateway.
@Suite(.timeLimit(.minutes(5))) struct RequestHeadTests {
    /// Calls `body` with the URL of each listener, the method and a path of it.
    private static func forEachListener(
        _ body: @escaping @Sendable (_ url: String?, _ method: String, _ path: String) async throws -> Void
    ) async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            try await body(gateway.ready.service, "GET", "/health")
            try await body(gateway.ready.service, "POST", "/v1/payloads/check")
            try await body(gateway.ready.courier, "POST", "/v1/acks")
            try await body(gateway.ready.providerPlaintext, "POST", "/3/device/\(device.token)")
        }
    }

    @Test(arguments: ["Accept: */*", "Host: localhost\r\nHost: localhost", "Host: 127.0.0.1\r\nHost: evil.example"])
    func requestWithoutExactlyOneHostIsRefused(_ headers: String) async throws {
        try await Self.forEachListener { url, method, path in
            let answer = try await RawConnection.answer(to: "\(method) \(path)", headers: headers, at: url)
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(path): \(answer)")
            #expect(answer.contains("Host headers; exactly one is accepted"), "\(path): \(answer)")
        }
    }

    @Test func hostOfAnAbsoluteTargetCounts() async throws {
        try await Self.forEachListener { url, method, path in
            let foreign = try await RawConnection.answer(
                to: "\(method) http://evil.example\(path)",
                headers: "Host: 127.0.0.1",
                at: url
            )
            #expect(foreign.hasPrefix("HTTP/1.1 403 "), "\(path): \(foreign)")
            let own = try await RawConnection.answer(
                to: "\(method) http://localhost\(path)",
                headers: "Host: evil.example",
                at: url
            )
            let usual = try await RawConnection.answer(to: "\(method) \(path)", headers: "Host: localhost", at: url)
            #expect(own.prefix { $0 != "\r\n" } == usual.prefix { $0 != "\r\n" }, "\(path): \(own)")
            #expect(!own.hasPrefix("HTTP/1.1 403 "), "\(path): \(own)")
        }
    }

    /// Two headers that are too large only together, and headers that are too many.
    @Test(arguments: [(2, 40 << 10), (300, 1)]) func largeHeadIsRefused(_ count: Int, _ size: Int) async throws {
        let value = String(repeating: "a", count: size)
        let headers = (0..<count).map { "x-\($0): \(value)" }.joined(separator: "\r\n")
        try await Self.forEachListener { url, method, path in
            let socket = try RawSocket(port: try RawConnection.port(of: url))
            await socket.send(Array("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n\r\n".utf8))
            let answer = await socket.read()
            #expect(answer.hasPrefix("HTTP/1.1 431 "), "\(path): \(answer)")
            #expect(answer.contains(#""code":"headTooLarge""#), "\(path): \(answer)")
        }
    }

    @Test func headOfUsualSizeIsAccepted() async throws {
        let header = "x-more: " + String(repeating: "a", count: 60 << 10)
        try await Self.forEachListener { url, method, path in
            let answer = try await RawConnection.answer(
                to: "\(method) \(path)",
                headers: "Host: localhost\r\n\(header)",
                at: url
            )
            let status = answer.split(separator: " ").dropFirst().first
            #expect(status != "431" && status != nil, "\(path): \(answer)")
        }
    }

    @Test func endlessChunkExtensionsAreRefused() async throws {
        try await Self.forEachListener { url, method, path in
            guard method == "POST" else { return }
            let socket = try RawSocket(port: try RawConnection.port(of: url))
            // The courier refuses a request without a secret before its body.
            let headers = "Host: localhost\r\nAuthorization: Bearer secret\r\nTransfer-Encoding: chunked\r\n"
            socket.send("\(method) \(path) HTTP/1.1\r\n\(headers)\r\n2;")
            await socket.send([UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20))
            let answer = await socket.read()
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(path): \(answer)")
        }
    }
}
