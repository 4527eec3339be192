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

@Suite(.timeLimit(.minutes(1))) struct CourierSecurityTests {
    /// A certificate for this machine that openssl makes, and its key.
    static func certificate(in folder: borrowing ScratchFolder) throws -> TLSFiles {
        let files = TLSFiles(certificate: folder.path(of: "cert.pem"), key: folder.path(of: "key.pem"))
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/env")
        openssl.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", files.key, "-out",
            files.certificate,
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        try #require(openssl.terminationStatus == 0)
        return files
    }

    @Test func devicesMayConnectOverTLS() async throws {
        let folder = try ScratchFolder()
        let files = try Self.certificate(in: folder)
        var configuration = GatewayConfiguration.forTests
        configuration.courierTLS = files
        try await Engine.memory.run(configuration) { gateway in
            #expect(gateway.ready.courier.hasPrefix("https://127.0.0.1:"))
            let device = try await gateway.device()
            try await gateway.send(line(device.token))
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(files.certificate)
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
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: ["cert.pem", "key.pem"]) func aFileThatCannotBeUsedIsNamed(_ bad: String) async throws {
        let folder = try ScratchFolder()
        var configuration = GatewayConfiguration.forTests
        configuration.courierTLS = try Self.certificate(in: folder)
        try Data("nothing of the kind".utf8).write(to: URL(filePath: folder.path(of: bad)))
        let fault = await #expect(throws: StartFault.self) {
            try await Engine.memory.run(configuration) { _ in }
        }
        #expect(fault?.description.contains(bad) == true)
    }
}
