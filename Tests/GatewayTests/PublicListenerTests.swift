import AsyncHTTPClient
import Foundation
import Gateway
import GatewayClient
import GatewayTestSupport
import LocalService
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing
import WaypostSchema
import WaypostTestSupport

/// Tests of listeners that other machines can reach.
@Suite(.timeLimit(.minutes(5))) struct PublicListenerTests {
    private static let token = String(repeating: "7", count: 64)

    /// Runs a gateway whose service and courier listeners have all addresses of the machine.
    ///
    /// The clients use the one on loopback.
    private static func run(
        _ body: @escaping @Sendable (RunningGateway, HTTPClient, _ port: Substring) async throws -> Void
    ) async throws {
        let certificate = try await TestCertificate("IP:127.0.0.1")
        var configuration = GatewayConfiguration.forTests
        (configuration.service.host, configuration.courier.host) = ("0.0.0.0", "0.0.0.0")
        (configuration.serviceTLS, configuration.courierTLS) = (TLSFiles(certificate), TLSFiles(certificate))
        configuration.authentication = .token
        configuration.allowedHosts = AllowedHosts(["gateway.example"])
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(certificate.path)
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .init(tlsConfiguration: tls))
        let outcome = await Result {
            try await RunningGateway.run(configuration, adminToken: token) { gateway in
                let port = try #require(gateway.ready.service.split(separator: ":").last)
                try await body(gateway, http, port)
            }
        }
        try await http.shutdown()
        try outcome.get()
    }

    @Test func notificationIsSentAndReceivedOverTLS() async throws {
        try await Self.run { gateway, http, port in
            #expect(gateway.ready.service == "https://gateway.example:\(port)")
            let courier = gateway.ready.courier.replacing("gateway.example", with: "127.0.0.1")
            let client = GatewayClient(
                http,
                service: "https://127.0.0.1:\(port)",
                courier: courier,
                adminToken: { Self.token }
            )
            let registration = DeviceRegistration(name: "iPad", topics: ["com.example.clowntown"])
            let device = try await client.register(registration)
            _ = try await client.send(Array(line(1, device.token).utf8))
            let health = try await client.health()
            #expect(health.courier == gateway.ready.courier)
            var request = HTTPClientRequest(url: courier + "/v1/events")
            request.headers.add(name: "authorization", value: "Bearer \(device.secret.rawValue)")
            var stream = OpenStream(try await http.execute(request, timeout: .seconds(30)))
            #expect(try await stream.next().map(\.id) == [.numbered(1)])
        }
    }

    @Test(arguments: [("127.0.0.1", 401), ("gateway.example", 401), ("other.example", 403)])
    func requestWithoutTokenOrOfAnotherHostIsRefused(_ host: String, _ status: UInt) async throws {
        try await Self.run { _, http, port in
            var request = HTTPClientRequest(url: "https://127.0.0.1:\(port)/v1/devices")
            request.method = .POST
            request.headers.add(name: "host", value: "\(host):\(port)")
            request.body = .bytes(ByteBuffer(string: #"{"name":"iPad","topics":[]}"#))
            let response = try await http.execute(request, timeout: .seconds(30))
            #expect(response.status.code == status)
        }
    }

    @Test func consoleIsOffBeyondLoopback() async throws {
        try await Self.run { _, http, port in
            var request = HTTPClientRequest(url: "https://127.0.0.1:\(port)/")
            request.headers.add(name: "authorization", value: "Bearer \(Self.token)")
            let response = try await http.execute(request, timeout: .seconds(30))
            #expect(response.status == .notFound)
        }
    }

    @Test func requestWithoutTLSGetsNoAnswer() async throws {
        try await Self.run { gateway, _, port in
            let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/health")
            await #expect(throws: HTTPClientError.self) {
                _ = try await gateway.http.execute(request, timeout: .seconds(30))
            }
        }
    }
}
