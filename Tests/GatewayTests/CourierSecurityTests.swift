import AsyncHTTPClient
import Foundation
import Gateway
import GatewayTestSupport
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite(.timeLimit(.minutes(5))) struct CourierSecurityTests {
    @Test func devicesCanConnectOverTLS() async throws {
        let certificate = try await TestCertificate("IP:127.0.0.1")
        var configuration = GatewayConfiguration.forTests
        configuration.courierTLS = TLSFiles(certificate)
        try await Engine.memory.run(configuration) { gateway in
            #expect(gateway.ready.courier.hasPrefix("https://127.0.0.1:"))
            let device = try await gateway.device()
            try await gateway.send(line(device.token))
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(certificate.path)
            let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .init(tlsConfiguration: tls))
            var request = HTTPClientRequest(url: gateway.ready.courier + "/v1/events")
            request.headers.add(name: "authorization", value: "Bearer \(device.secret.rawValue)")
            let outcome = await Result { () async throws in
                var stream = OpenStream(try await http.execute(request, timeout: .seconds(30)))
                return try await stream.next().first?.token
            }
            try await http.shutdown()
            #expect(try outcome.get() == device.token)
        }
    }

    @Test(arguments: [true, false]) func unusableFileIsNamedInTheError(_ isKey: Bool) async throws {
        let certificate = try await TestCertificate("IP:127.0.0.1")
        let files = TLSFiles(certificate)
        var configuration = GatewayConfiguration.forTests
        configuration.courierTLS = files
        let bad = isKey ? files.key : files.certificate
        try Data("nothing of the kind".utf8).write(to: URL(filePath: bad))
        let error = await #expect(throws: GatewayStartError.self) {
            try await Engine.memory.run(configuration) { _ in }
        }
        #expect(error?.description.contains(bad) == true)
        withExtendedLifetime(certificate) {}
    }
}

extension TLSFiles {
    /// Creates the paths of a test certificate's files.
    init(_ certificate: TestCertificate) {
        self.init(certificate: certificate.path, key: certificate.keyPath)
    }
}
