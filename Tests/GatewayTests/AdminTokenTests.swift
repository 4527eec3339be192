import Foundation
import GatewayClient
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct AdminTokenTests {
    static let token = String(repeating: "0123456789abcdef", count: 4)

    /// The configuration of a gateway that requires the admin token.
    static var closed: GatewayConfiguration {
        var configuration = GatewayConfiguration.forTests
        configuration.authentication = .token
        return configuration
    }

    /// Returns the configuration of a gateway that keeps its data in `folder`.
    static func configuration(_ folder: ScratchFolder) -> GatewayConfiguration {
        closed.keeping(.sqlite(folder: folder.path(of: "data")))
    }

    /// Runs a gateway, and passes it and the token from its folder to `body`.
    static func run(_ body: @escaping @Sendable (RunningGateway, String) async throws -> Void) async throws {
        let folder = try ScratchFolder()
        let file = folder.path(of: "data/admin-token")
        try await RunningGateway.run(configuration(folder)) { gateway in
            try await body(gateway, String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines))
        }
    }

    @Test func tokenIsStoredForItsOwnerOnly() async {
        // The umask applies to the whole process, so this test runs in its own process.
        await #expect(processExitsWith: .success) {
            let folder = try ScratchFolder()
            for mask in [0o000, 0o022, 0o277] {
                // A mask that also removes the owner's permissions must have no effect.
                umask(mode_t(mask))
                let file = AdminTokenFile(path: folder.path(of: "token-\(mask)"))
                #expect(try file.read() == nil)
                #expect(try file.write(AdminTokenTests.token) == AdminTokenTests.token)
                let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
                #expect(FileManager.default.contents(atPath: file.path) == Data((AdminTokenTests.token + "\n").utf8))
                #expect(try file.read()?.line == AdminTokenTests.token)
            }
        }
    }

    @Test func tokenStaysTheSameAcrossRestarts() async throws {
        let folder = try ScratchFolder()
        let file = folder.path(of: "data/admin-token")
        let first = try await RunningGateway.run(Self.configuration(folder)) { _ in
            try String(contentsOfFile: file, encoding: .utf8)
        }
        #expect(first.wholeMatch(of: /[0-9a-f]{64}\n/) != nil)
        var sources = GatewaySources.forTests()
        sources.randomBytes = { Array(repeating: 7, count: $0) }
        let second = try await RunningGateway.run(Self.configuration(folder), sources: sources) { gateway in
            let headers = [("authorization", "Bearer \(first.dropLast())")]
            #expect(try await gateway.service(.GET, "/v1/namespaces", headers: headers).status == 200)
            return try String(contentsOfFile: file, encoding: .utf8)
        }
        #expect(first == second)
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o644]) func tokenFileThatOthersCanAccessIsRefused(_ mode: Int) throws
    {
        let folder = try ScratchFolder()
        let path = try folder.write((Self.token + "\n").utf8, to: "admin-token")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect { try AdminTokenFile(path: path).read() } throws: { error in
            "\(error)".contains("chmod 600") && !"\(error)".contains(Self.token)
        }
    }

    @Test(arguments: ["", "short", AdminTokenTests.token + "0", String(repeating: "g", count: 64)])
    func invalidTokenIsRefused(_ text: String) async throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder.path(of: "data"), withIntermediateDirectories: true)
        let path = try folder.write((text + "\n").utf8, to: "data/admin-token")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect {
            try AdminToken.find(environmentValue: nil, configuration: Self.configuration(folder)) { Self.token }
        } throws: { error in
            "\(error)".contains(path)
        }
        #expect(throws: GatewayStartError.self) {
            try AdminToken.find(environmentValue: text, configuration: Self.configuration(folder)) { Self.token }
        }
    }

    @Test func environmentTakesPrecedenceOverTheFile() throws {
        let folder = try ScratchFolder()
        let token = try AdminToken.find(environmentValue: Self.token, configuration: Self.configuration(folder)) {
            "never asked"
        }
        #expect(token?.digest == AdminToken.digest(of: Self.token))
        #expect(!FileManager.default.fileExists(atPath: folder.path(of: "data")))
    }

    @Test func inMemoryGatewayNeedsATokenFromTheEnvironment() throws {
        #expect {
            try AdminToken.find(environmentValue: nil, configuration: Self.closed) { Self.token }
        } throws: { error in
            "\(error)".contains("WAYPOST_ADMIN_TOKEN")
        }
        #expect(try AdminToken.find(environmentValue: Self.token, configuration: Self.closed) { "" } != nil)
        #expect(try AdminToken.find(environmentValue: nil, configuration: .forTests) { "" } == nil)
    }

    @Test(arguments: [
        nil, "", "Bearer", "Bearer ", "Basic \(AdminTokenTests.token)", "Bearer \(AdminTokenTests.token)", "Bearer é",
    ])
    func requestWithoutTheTokenGets401(_ authorization: String?) async throws {
        try await Self.run { gateway, token in
            let headers = authorization.map { [("authorization", $0)] } ?? []
            let exchange = try await gateway.service(.GET, "/v1/namespaces", headers: headers)
            #expect(exchange.status == 401)
            #expect(exchange.headers["www-authenticate"] == ["Bearer"])
            #expect(try exchange.error.code == "unauthorized")
            let message = try exchange.error.message
            #expect(message.contains("the file admin-token in the gateway's data folder"))
            #expect(!message.contains("/"))
            #expect(!String(decoding: exchange.body, as: UTF8.self).contains(token))
        }
    }

    @Test func unauthorizedAnswerDoesNotRevealWhatExists() async throws {
        try await Self.run { gateway, token in
            let headers = [("authorization", "bearer  \(token)")]
            let registration = Array(try JSONEncoder().encode(DeviceRegistration(name: "iPad", topics: ["a"])))
            let device = try await gateway.service(.POST, "/v1/devices", headers: headers, body: registration)
                .decoded(as: DeviceCredential.self)
            let paths = [
                "/v1/devices/\(device.token)", "/v1/devices/00", "/nothing", "/metrics", "/v1/batches",
                "/v1/clock",
            ]
            let bodies = try await paths.asyncMap { path in
                let exchange = try await gateway.service(.GET, path)
                #expect(exchange.status == 401, "\(path)")
                return exchange.body
            }
            #expect(Set(bodies).count == 1)
            #expect(try await gateway.service(.GET, paths[0], headers: headers).status == 200)
            #expect(try await gateway.service(.GET, "/nothing", headers: headers).status == 404)
        }
    }

    @Test func courierRequiresOnlyTheDeviceSecret() async throws {
        try await Self.run { gateway, token in
            let (service, courier) = (gateway.ready.service, gateway.ready.courier)
            let client = GatewayClient(gateway.http, service: service, courier: courier, adminToken: { token })
            let device = try await client.register(DeviceRegistration(name: "iPad", topics: ["com.example.clowntown"]))
            _ = try await client.send(Array(line(device.token).utf8))
            let events = try await gateway.events(1, of: device)
            #expect(events.count == 1)
            let stranger = GatewayClient(gateway.http, service: service, courier: courier)
            await #expect(throws: CallError.self) { try await stranger.send(Array(line(device.token).utf8)) }
        }
    }

    @Test func tokenIsCreatedEvenIfItIsNotRequired() async throws {
        let folder = try ScratchFolder()
        let configuration = GatewayConfiguration.forTests.keeping(.sqlite(folder: folder.path(of: "data")))
        try await RunningGateway.run(configuration) { gateway in
            let exchange = try await gateway.service(.GET, "/v1/namespaces")
            #expect(exchange.status == 200)
        }
        #expect(FileManager.default.fileExists(atPath: folder.path(of: "data/admin-token")))
    }
}

extension Sequence {
    /// Returns the results of `transform` for the elements, which it processes one after another.
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
