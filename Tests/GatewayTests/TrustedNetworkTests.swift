import Foundation
import Gateway
import GatewayTestSupport
import LocalService
import NIOHTTP1
import Testing
import WaypostSchema
import WaypostTestSupport

/// Tests of a gateway on a network whose machines it trusts, such as that of a container.
@Suite(.timeLimit(.minutes(5))) struct TrustedNetworkTests {
    private static let foreign = [
        "Host: rebound.example", "Host: 127.0.0.1\r\nOrigin: http://evil.example",
        "Host: 10.0.0.1\r\nOrigin: http://evil.example", "Host: waypost\r\nSec-Fetch-Site: cross-site",
        "Host: waypost\r\nOrigin: http://rebound.example",
    ]

    private static let own = [
        "Host: waypost:7330", "Host: 127.0.0.1:7330", "Host: 10.0.0.1:7330",
        "Host: waypost:7330\r\nOrigin: http://waypost:7330\r\nSec-Fetch-Site: same-origin",
    ]

    private static var configuration: GatewayConfiguration {
        var configuration = GatewayConfiguration.forTests
        configuration.trustsNetwork = true
        configuration.allowedHosts = AllowedHosts(["waypost"])
        (configuration.service.host, configuration.courier.host) = ("0.0.0.0", "0.0.0.0")
        configuration.providerPlaintext?.host = "0.0.0.0"
        return configuration
    }

    @Test func everyListenerStillRefusesPagesOfOtherSitesAndReboundNames() async throws {
        try await RunningGateway.run(Self.configuration) { gateway in
            for (url, request) in [
                (gateway.ready.service, "GET /health"), (gateway.ready.service, "GET /"),
                (gateway.ready.service, "GET /v1/notifications"), (gateway.ready.courier, "GET /v1/events"),
                (gateway.ready.providerPlaintext ?? "", "POST /3/device/00"),
            ] {
                for headers in Self.foreign {
                    let answer = try await RawConnection.answer(to: request, headers: headers, at: url)
                    #expect(answer.hasPrefix("HTTP/1.1 403 "), "\(request) \(headers): \(answer)")
                }
                for headers in Self.own {
                    let answer = try await RawConnection.answer(to: request, headers: headers, at: url)
                    #expect(!answer.hasPrefix("HTTP/1.1 403 "), "\(request) \(headers): \(answer)")
                }
            }
        }
    }

    @Test(arguments: [
        ("waypost:7330", "http://waypost:"), ("127.0.0.1:9000", "http://127.0.0.1:"),
        ("[fd00::2]:80", "http://[fd00::2]:"),
    ])
    func healthNamesTheCourierByTheHostOfTheRequest(_ host: String, _ start: String) async throws {
        try await RunningGateway.run(Self.configuration) { gateway in
            for path in ["/health", "/health/ready"] {
                let exchange = try await gateway.service(.GET, path, headers: [("host", host)])
                let health: Health = try exchange.decoded()
                #expect(health.courier == start + "\(try RawConnection.port(of: gateway.ready.courier))")
                #expect(
                    health.providerPlaintext == start + "\(try RawConnection.port(of: gateway.ready.providerPlaintext))"
                )
                #expect(health.trustsNetwork == true)
            }
            // The ready file is for this machine.
            #expect(gateway.ready.service.hasPrefix("http://127.0.0.1:"))
        }
    }

    @Test func consoleIsOnAndTheLogSaysThatTheNetworkIsTrusted() async throws {
        let log = CapturingHandler.logger()
        try await RunningGateway.run(Self.configuration, logger: log.logger) { gateway in
            let page = try await gateway.service(.GET, "/", headers: [("host", "waypost")])
            #expect(page.status == 200)
        }
        #expect(
            log.capture.lines.contains { $0.message.contains("the network is trusted") && $0.message.contains("token") }
        )
    }

    @Test func gatewayOnLoopbackDoesNotTrustAnybody() async throws {
        try await RunningGateway.run { gateway in
            let health: Health = try await gateway.get("/health")
            #expect(health.trustsNetwork == nil)
            let answer = try await RawConnection.answer(
                to: "GET /health",
                headers: "Host: 10.0.0.1:7330",
                at: gateway.ready.service
            )
            #expect(answer.hasPrefix("HTTP/1.1 403 "))
        }
    }

    @Test func authorityIsGivenToEverybody() async throws {
        let scratch = try ScratchFolder()
        var configuration = Self.configuration
        configuration.provider = ListenAddress("0.0.0.0", port: 0)
        configuration.authorityFolder = scratch.path(of: "ca")
        configuration.authentication = .token
        let token = String(repeating: "7", count: 64)
        try await RunningGateway.run(configuration, adminToken: token) { gateway in
            let exchange = try await gateway.service(.GET, "/v1/ca.pem", headers: [("host", "waypost")])
            #expect(exchange.status == 200)
            let file = try String(contentsOfFile: scratch.path(of: "ca/ca.pem"), encoding: .utf8)
            #expect(String(decoding: exchange.body, as: UTF8.self) == file)
            #expect(file.hasPrefix("-----BEGIN CERTIFICATE-----"))
            // The certificate has this name, and not the address.
            let health: Health = try await gateway.service(.GET, "/health", headers: [("host", "10.0.0.1")]).decoded()
            #expect(health.provider?.hasPrefix("https://waypost:") == true)
            // Everything else needs the token.
            #expect(try await gateway.service(.GET, "/v1/notifications", headers: [("host", "waypost")]).status == 401)
        }
        withExtendedLifetime(scratch) {}
    }

    @Test func gatewayWithoutAnAuthorityHasNoCertificate() async throws {
        try await RunningGateway.run { gateway in
            let exchange = try await gateway.service(.GET, "/v1/ca.pem")
            #expect(exchange.status == 404)
            #expect(try exchange.error.code == "noAuthority")
        }
    }
}
