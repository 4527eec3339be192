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
        #expect(line.metadata["path"] == "/v1/batches/x?wait=settled&timeout=1ms&…")
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
        ("/a", "/a"), ("/a?", "/a"), ("", ""), ("?b", "?…"), ("/a?b", "/a?…"), ("/a?b=c", "/a?…"),
        ("/a?wait", "/a?wait"), ("/a?&wait&", "/a?wait"), ("/a?results=all&x=1", "/a?results=all&…"),
        ("/a?x==&since=0", "/a?…&since=0"), ("/a?x=?results=all", "/a?…"),
        ("/a?token=00&after=7", "/a?token=…&after=…"), ("/a?token", "/a?token=…"),
        // A secret in base64 ends in what separates a name.
        ("/a?OGRmMTIzNDU2Nzg5MGFiYw==", "/a?…"), ("/a?eHl6&OGRmMTIzNDU2=&limit=1", "/a?…&…&limit=1"),
        // A mark makes another character of a separator.
        ("/a?\u{301}secret", "/a?…"), ("/a?wait=\u{301}&\u{301}secret", "/a?wait=\u{301}&…"),
    ])
    func unknownParametersAreNotLogged(_ target: String, text: String) {
        // Texts that Unicode calls equivalent would be equal.
        #expect(Array(LoggedPath.string(target).utf8) == Array(text.utf8), "\(LoggedPath.string(target))")
    }

    @Test func nameOfEveryDocumentedParameterIsLogged() throws {
        let file = Repository.root.appending(path: "docs/openapi.yaml")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            line.drop { $0 == " " }
        }
        let names = zip(lines, lines.dropFirst()).filter { _, place in place == "in: query" }.map { line, _ in
            String(line.dropFirst("- name: ".count))
        }
        #expect(names.count == lines.count { $0 == "in: query" } && names.contains("since"))
        for name in Set(names).sorted() {
            #expect(LoggedPath.string("/a?\(name)=1").hasPrefix("/a?\(name)="), "\(name)")
        }
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
