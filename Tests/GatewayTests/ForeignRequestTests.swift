import GatewayStore
import GatewayTestSupport
import LocalService
import NIOHPACK
import Testing
import WaypostSchema

@testable import Gateway

/// Requests that a page of another web site may have sent, on each listener of a gateway.
@Suite(.timeLimit(.minutes(5))) struct ForeignRequestTests {
    private static let foreign = [
        "Host: rebound.example", "Host: 127.0.0.1\r\nOrigin: http://evil.example", "Host: localhost\r\nOrigin: null",
        "Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site",
    ]

    @Test func serviceAndCourierRefuseForeignRequests() async throws {
        try await RunningGateway.run { gateway in
            for (url, request) in [
                (gateway.ready.service, "POST /v1/devices"), (gateway.ready.service, "GET /health"),
                (gateway.ready.service, "GET /nothing"), (gateway.ready.courier, "POST /v1/acks"),
                (gateway.ready.courier, "GET /v1/events"),
            ] {
                for headers in Self.foreign {
                    let answer = try await RawConnection.answer(to: request, headers: headers, at: url)
                    #expect(answer.hasPrefix("HTTP/1.1 403 "), "\(request) \(headers): \(answer)")
                    #expect(answer.contains(#""code":"foreignRequest""#))
                }
                let own = "Host: localhost\r\nOrigin: http://localhost\r\nSec-Fetch-Site: same-origin"
                for headers in ["Host: localhost", "Host: [::1]:80", own] {
                    let answer = try await RawConnection.answer(to: request, headers: headers, at: url)
                    #expect(!answer.hasPrefix("HTTP/1.1 403 "), "\(request) \(headers): \(answer)")
                }
            }
        }
    }

    @Test func providerListenerRefusesForeignRequestsInTheFormOfAPNs() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let (url, request) = (gateway.ready.providerPlaintext, "POST /3/device/\(device.token)")
            for headers in Self.foreign {
                let answer = try await RawConnection.answer(to: request, headers: headers, at: url)
                #expect(answer.hasPrefix("HTTP/1.1 403 "), "\(answer)")
                #expect(answer.contains(#"{"reason":"Forbidden"}"#))
            }
            for host in ["localhost", "api.push.apple.com"] {
                let answer = try await RawConnection.answer(to: request, headers: "Host: \(host)", at: url)
                #expect(answer.contains("MissingTopic"), "\(answer)")
            }
        }
    }

    @Test func providerListenerRefusesAForeignAuthority() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            var client = try await ProviderClient(gateway)
            for (authority, status) in [("rebound.example", "403"), ("localhost:80", "200")] {
                let headers: HPACKHeaders = [
                    ":method": "POST", ":scheme": "http", ":path": "/3/device/\(device.token)",
                    ":authority": authority, "apns-topic": "com.example.clowntown",
                ]
                let exchange = try await client.exchange(headers, body: Array(#"{"aps":{"alert":"x"}}"#.utf8))
                #expect("\(exchange.status)" == status)
            }
            // A page may not fill the delivery log either.
            let page: NotificationPage = try await gateway.get("/v1/notifications")
            #expect(page.notifications.count == 1)
            try await client.close()
        }
    }

    @Test(arguments: ["192.0.2.1:7332", "192.0.2.1", "api.push.apple.com", "localhost:7332"])
    func providersMayCallAPublicListenerByItsAddress(_ host: String) throws {
        var configuration = GatewayConfiguration.forTests
        configuration.provider = ListenAddress("192.0.2.1", port: 7332)
        let requestHandler = GatewayServices.forTests(try SQLiteStore.inMemory(), configuration).requestHandler
        try requestHandler.hosts.validate(host: host, origin: nil, site: nil)
        #expect(throws: ForeignRequestError.self) {
            try requestHandler.hosts.validate(host: "192.0.2.2:7332", origin: nil, site: nil)
        }
    }

    @Test func furtherNamesCanBeAllowed() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.allowedHosts = AllowedHosts(["gateway.test"])
        try await RunningGateway.run(configuration) { gateway in
            let answer = try await RawConnection.answer(
                to: "GET /health",
                headers: "Host: Gateway.test:7330",
                at: gateway.ready.service
            )
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
        }
    }
}
