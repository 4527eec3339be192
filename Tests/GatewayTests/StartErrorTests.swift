import Gateway
import GatewayTestSupport
import LocalService
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct StartErrorTests {
    @Test(arguments: ["0.0.0.0", "192.168.1.1", "10.0.0.1", "::", "example.com", "127.0.0.1.example.com", "127.1", ""])
    func addressBeyondLoopbackIsRefusedWithoutTLS(_ host: String) async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.service.host = host
        let gateway = Gateway(configuration: configuration, sources: .forTests(), logger: .quiet)
        let options = "--service-certificate and --service-key"
        await #expect(throws: GatewayStartError.unprotected(configuration.service, missing: .tls(options: options))) {
            try await gateway.run()
        }
    }

    @Test func listenersBeyondLoopbackNeedTLSAndAuthenticationAndAName() {
        let files = TLSFiles(certificate: "certificate.pem", key: "key.pem")
        var configuration = GatewayConfiguration.forTests
        for path in [\GatewayConfiguration.service.host, \GatewayConfiguration.courier.host] {
            configuration[keyPath: path] = "0.0.0.0"
        }
        configuration.provider = ListenAddress("10.0.0.1", port: 0)
        configuration.providerPlaintext = ListenAddress("10.0.0.1", port: 0)
        func missingProtections() -> [GatewayListener: GatewayStartError.Protection] {
            configuration.unprotectedListeners.compactMapValues { error in
                if case .unprotected(_, let protection) = error { protection } else { nil }
            }
        }
        #expect(
            missingProtections() == [
                .service: .tls(options: "--service-certificate and --service-key"),
                .courier: .tls(options: "--courier-certificate and --courier-key"), .provider: .authentication,
                .providerPlaintext: .loopbackOnly,
            ]
        )
        configuration.providerPlaintext = ListenAddress(port: 0)
        (configuration.serviceTLS, configuration.courierTLS) = (files, files)
        #expect(
            missingProtections() == [
                .service: .authentication, .courier: .authentication, .provider: .authentication,
            ]
        )
        configuration.authentication = .token
        #expect(missingProtections() == [.service: .allowedHost, .courier: .allowedHost])
        configuration.allowedHosts = AllowedHosts(["gateway.example"])
        #expect(missingProtections().isEmpty)
    }

    @Test func trustedNetworkNeedsNoTLSAndNoAuthentication() {
        var configuration = GatewayConfiguration.forTests
        (configuration.service.host, configuration.courier.host) = ("0.0.0.0", "10.0.0.1")
        configuration.providerPlaintext = ListenAddress("0.0.0.0", port: 0)
        #expect(!configuration.unprotectedListeners.isEmpty)
        configuration.trustsNetwork = true
        #expect(configuration.unprotectedListeners.isEmpty)
    }

    @Test(arguments: [\GatewayConfiguration.service.port, \GatewayConfiguration.courier.port])
    func portInUseIsNamedInTheError(_ port: any WritableKeyPath<GatewayConfiguration, Int> & Sendable) async throws {
        try await RunningGateway.run { other in
            var configuration = GatewayConfiguration.forTests
            let taken = try #require(other.ready.service.split(separator: ":").last.flatMap { Int($0) })
            configuration[keyPath: port] = taken
            let gateway = Gateway(configuration: configuration, sources: .forTests(), logger: .quiet)
            let error = await #expect(throws: GatewayStartError.self) { try await gateway.run() }
            #expect(error?.description.contains("127.0.0.1:\(taken) is in use") == true)
        }
    }

    @Test func unwritableReadyFileIsNamedInTheError() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.readyFile = "/nowhere/at/all/ready.json"
        let gateway = Gateway(configuration: configuration, sources: .forTests(), logger: .quiet)
        let error = await #expect(throws: GatewayStartError.self) { try await gateway.run() }
        #expect(error?.description.contains("/nowhere/at/all/ready.json") == true)
    }
}
