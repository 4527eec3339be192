import Gateway
import GatewayTestSupport
import LocalService
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(10))) struct StartErrorTests {
    @Test(arguments: ["0.0.0.0", "192.168.1.1", "10.0.0.1", "::", "example.com", "127.0.0.1.example.com", "127.1", ""])
    func nonLoopbackAddressIsRefused(_ host: String) async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.service.host = host
        let gateway = Gateway(configuration: configuration, sources: .forTests(), logger: .quiet)
        await #expect(throws: GatewayStartError.notLoopback(host)) { try await gateway.run() }
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
