import Foundation
import GatewayTestSupport
import Logging
import NIOHTTP1
import Synchronization
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct RequestLogTests {
    @Test func everyRequestIsLoggedOnceWithItsIdentifier() async throws {
        let lines = try await LoggedGateway.lines { gateway in
            let exchange = try await gateway.service(.GET, "/v1/batches/x?wait=settled&timeout=1ms&password=1234")
            #expect(exchange.status == 404)
            let identifier = try #require(exchange.headers.first(name: "x-request-id"))
            #expect(!identifier.isEmpty)
            return [identifier, "\(exchange.body.count)"]
        }
        let requests = lines.logged.filter { $0.message == "request" }
        #expect(requests.count == 1)
        let line = try #require(requests.first)
        #expect(line.level == .info)
        #expect(line.metadata["request"] == lines.value[0])
        #expect(line.metadata["method"] == "GET")
        #expect(line.metadata["path"] == "/v1/batches/x?wait=settled&timeout=1ms&password=…")
        #expect(line.metadata["status"] == "404")
        #expect(line.metadata["bytes"] == lines.value[1])
        #expect(line.metadata["milliseconds"].flatMap(Int.init) != nil)
    }

    @Test(arguments: ["abc-123", "!", "~", String(repeating: "x", count: 128)])
    func identifierOfTheClientIsKept(_ identifier: String) async throws {
        let lines = try await LoggedGateway.lines { gateway in
            let exchange = try await gateway.service(.GET, "/v1/clock", headers: [("x-request-id", identifier)])
            #expect(exchange.headers["x-request-id"] == [identifier])
        }
        #expect(lines.logged.contains { $0.message == "request" && $0.metadata["request"] == identifier })
    }

    @Test(arguments: ["", "two words", String(repeating: "x", count: 129), "é"])
    func invalidIdentifierIsReplaced(_ text: String) async throws {
        try await RunningGateway.run { gateway in
            let exchange = try await gateway.service(.GET, "/v1/clock", headers: [("x-request-id", text)])
            let identifier = try #require(exchange.headers.first(name: "x-request-id"))
            #expect(identifier != text)
            #expect(RequestIdentifier.validated(identifier) == identifier)
        }
    }

    @Test func linesOfARequestContainItsIdentifier() async throws {
        let logger = CapturingHandler.logger()
        let named = logger.logger.addingRequestMetadata
        named.info("outside")
        RequestIdentifier.$current.withValue("r-1") { named.info("inside") }
        #expect(logger.capture.lines.map { $0.metadata["request"] } == [nil, "r-1"])
    }

    @Test func nothingSecretIsLoggedAtAnyLevel() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.authentication = .token
        let token = AdminTokenTests.token
        let lines = try await LoggedGateway.lines(configuration, adminToken: token) { gateway in
            let headers = [("authorization", "Bearer \(token)")]
            let registration = Array(try JSONEncoder().encode(DeviceRegistration(name: "iPad", topics: ["a"])))
            let device = try await gateway.service(.POST, "/v1/devices", headers: headers, body: registration)
                .decoded(as: DeviceCredential.self)
            let body = Array(line(device.token, topic: "a", payload: #"{"aps":{"alert":"very private"}}"#).utf8)
            _ = try await gateway.service(.POST, "/v1/batches", headers: headers, body: body)
            _ = try await gateway.service(.GET, "/v1/clock?token=\(token)")
            let wrong = [("authorization", "Bearer \(device.secret.rawValue)")]
            _ = try await gateway.service(.GET, "/v1/clock", headers: wrong)
            _ = try await gateway.events(1, of: device)
            return device.secret.rawValue
        }
        let text = lines.logged.map { "\($0.message) \($0.metadata)" }.joined(separator: "\n")
        #expect(lines.logged.count { $0.message == "request" } == 4)
        for secret in [token, lines.value, "very private"] { #expect(!text.contains(secret)) }
    }

    @Test(arguments: [
        ("/a", "/a"), ("/a?", "/a"), ("/a?b", "/a?…"), ("/a?b=c", "/a?b=…"),
        ("/a?wait", "/a?wait"), ("/a?263be2d15fac47716bdd55e7=1&x=2", "/a?263be2d15fac47716bdd55e7=…&x=…"),
        ("/a?263be2d15fac47716bdd55e76=1", "/a?…=…"),
        ("/a?results=all&x=1", "/a?results=all&x=…"),
        ("/a?x==&since=0", "/a?x=…&since=0"), ("/a?x=?results=all", "/a?x=…"),
    ])
    func valuesOfUnknownParametersAreNotLogged(_ target: String, text: String) {
        #expect(LoggedPath.string(target) == text)
    }
}

/// A gateway whose log lines are kept.
enum LoggedGateway {
    /// Runs a gateway, passes it to `body`, and returns the body's result and all lines that the gateway logged.
    static func lines<Value: Sendable>(
        _ configuration: GatewayConfiguration = .forTests,
        adminToken: String? = nil,
        _ body: @escaping @Sendable (RunningGateway) async throws -> Value
    ) async throws -> (value: Value, logged: [CapturingHandler.Line]) {
        let (logger, capture) = CapturingHandler.logger()
        let value = try await RunningGateway.run(configuration, adminToken: adminToken, logger: logger, body)
        return (value, capture.lines)
    }
}
