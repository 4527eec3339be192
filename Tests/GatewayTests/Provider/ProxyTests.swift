import Foundation
import GatewayTestSupport
import LocalService
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// Tests of clients that connect to Apple's hosts through the gateway's proxy.
@Suite(.timeLimit(.minutes(5))) struct ProxyTests {
    /// Runs a gateway for which no certificate is configured.
    private static func run(_ body: @escaping @Sendable (RunningGateway) async throws -> Void) async throws {
        let scratch = try ScratchFolder()
        var configuration = GatewayConfiguration.forTests
        configuration.proxy = ListenAddress(port: 0)
        configuration.authorityFolder = scratch.path(of: "ca")
        // The gateway uses the current time, at which the certificates are valid.
        let sources = GatewaySources.forTests(now: Timestamp(milliseconds: Int(Date().timeIntervalSince1970 * 1_000)))
        try await RunningGateway.run(configuration, sources: sources, body)
        withExtendedLifetime(scratch) {}
    }

    private static func port(_ gateway: RunningGateway) throws -> UInt16 {
        try #require(gateway.ready.proxy?.split(separator: ":").last.flatMap { UInt16($0) })
    }

    @Test(arguments: [
        "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com:2197",
        "api-manage-broadcast.push.apple.com:2196",
    ])
    func proxyRedirectsApplesHostsToTheGateway(_ host: String) async throws {
        try await Self.run { gateway in
            let device = try await gateway.device()
            let proxy = try #require(gateway.ready.proxy)
            let certificate = try #require(gateway.ready.ca)
            let answer = try await ExternalCommand.run([
                "env", "https_proxy=\(proxy)", "curl", "--silent", "--show-error", "--cacert", certificate, "--http2",
                "--write-out", "%{http_code} %{http_version}", "--header", "apns-topic: com.example.clowntown",
                "--data", #"{"aps":{"alert":"Honk"}}"#, "https://\(host)/3/device/\(device.token)",
            ])
            #expect(String(decoding: answer, as: UTF8.self) == "200 2")
            #expect(try await gateway.notifications("?token=\(device.token)").notifications.map(\.state) == [.stored])
        }
    }

    @Test(arguments: [
        ("CONNECT example.com:443", "403"), ("CONNECT push.apple.com.example.com:443", "403"),
        ("CONNECT evilpush.apple.com:443", "403"), ("CONNECT api.push.apple.com", "403"),
        ("CONNECT 127.0.0.1:22/.push.apple.com:443", "403"), ("CONNECT a@b.push.apple.com:443", "403"),
        ("CONNECT .push.apple.com:443", "403"), ("CONNECT a..push.apple.com:443", "403"),
        ("CONNECT api.push.apple.com:0", "403"), ("CONNECT api.push.apple.com:+443", "403"),
        ("GET http://api.push.apple.com/", "405"), ("GET /", "405"),
    ])
    func otherHostsAndMethodsAreRefused(_ request: String, _ status: String) async throws {
        try await Self.run { gateway in
            let socket = try RawSocket(port: try Self.port(gateway))
            socket.send("\(request) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = await socket.read()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            #expect(answer.contains("push.apple.com") || answer.contains("CONNECT"))
        }
    }

    @Test(arguments: ["", "Host: api.push.apple.com\r\nHost: localhost\r\n"])
    func requestHasExactlyOneHost(_ headers: String) async throws {
        try await Self.run { gateway in
            let socket = try RawSocket(port: try Self.port(gateway))
            socket.send("CONNECT api.push.apple.com:443 HTTP/1.1\r\n\(headers)\r\n")
            #expect(await socket.read().hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test(arguments: [
        "Origin: https://evil.example", "Origin: null", "Origin: http://api.push.apple.com:443",
        "Sec-Fetch-Site: cross-site",
    ])
    func requestOfAPageIsRefused(_ header: String) async throws {
        try await Self.run { gateway in
            let socket = try RawSocket(port: try Self.port(gateway))
            let target = "api.push.apple.com:443"
            socket.send("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\(header)\r\n\r\n")
            let answer = await socket.read()
            #expect(answer.hasPrefix("HTTP/1.1 403 "), "\(answer)")
            #expect(answer.contains("may not call this listener"), "\(answer)")
        }
    }

    @Test(arguments: ["\u{16}\u{3}\u{1}", "CONNECT\r\n\r\n", "CONNECT api.push.apple.com:443 HTTP/1.1\r\nHost\r\n\r\n"])
    func malformedHeadIsRefused(_ text: String) async throws {
        try await Self.run { gateway in
            let socket = try RawSocket(port: try Self.port(gateway))
            socket.send(text)
            let answer = await socket.read()
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            #expect(answer.contains("the head of the request is malformed"), "\(answer)")
        }
    }

    @Test func largeHeadIsRefused() async throws {
        try await Self.run { gateway in
            let socket = try RawSocket(port: try Self.port(gateway))
            let value = String(repeating: "a", count: 80 << 10)
            await socket.send(Array("CONNECT api.push.apple.com:443 HTTP/1.1\r\nx-more: \(value)\r\n\r\n".utf8))
            let answer = await socket.read()
            #expect(answer.hasPrefix("HTTP/1.1 431 "), "\(answer)")
            #expect(answer.contains("the head of the request is too large"), "\(answer)")
        }
    }

    @Test func plaintextAfterCONNECTIsDisconnected() async throws {
        let text = "CONNECT api.push.apple.com:443 HTTP/1.1\r\nHost: api.push.apple.com\r\n\r\nGET / HTTP/1.1\r\n\r\n"
        try await Self.run { gateway in
            let device = try await gateway.device()
            let socket = try RawSocket(port: try Self.port(gateway))
            socket.send(text)
            socket.endSending()
            await socket.waitForHangUp()
            #expect(try await gateway.notifications("?token=\(device.token)").notifications.isEmpty)
        }
    }

    @Test func gatewayWithoutACertificateCreatesOne() async throws {
        let scratch = try ScratchFolder()
        var configuration = GatewayConfiguration.forTests
        configuration.provider = ListenAddress(port: 0)
        configuration.authorityFolder = scratch.path(of: "ca")
        try await RunningGateway.run(configuration) { gateway in
            #expect(gateway.ready.ca == scratch.path(of: "ca/ca.pem"))
            #expect(gateway.ready.provider?.hasPrefix("https://127.0.0.1:") == true)
        }
        configuration.authorityFolder = "/dev/null/ca"
        let impossible = configuration
        let error = await #expect(throws: GatewayStartError.self) { try await RunningGateway.run(impossible) { _ in } }
        #expect(error?.description.hasPrefix("/dev/null/ca: ") == true)
        withExtendedLifetime(scratch) {}
    }

    @Test func gatewayWithItsOwnCertificateCreatesNone() async throws {
        let certificate = try await TestCertificate("IP:127.0.0.1")
        try await RunningGateway.run(.withTLS(certificate)) { gateway in #expect(gateway.ready.ca == nil) }
    }
}
