import Foundation
import GatewayClient
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// The replacement of the administrative token while the gateway runs.
@Suite(.timeLimit(.minutes(5))) struct AdminTokenRotationTests {
    private static let tokens = ["a", "b", "c"].map { String(repeating: $0, count: 64) }

    /// A token in a file, and what the gateway logs about it.
    private struct Example {
        let folder: ScratchFolder
        let rotation: AdminTokenRotation
        let capture: CapturingHandler.Capture
        let start = AdminTokenRotation.Time.now

        init() throws {
            folder = try ScratchFolder()
            let file = AdminTokenFile(path: folder.path(of: "admin-token"))
            let first = try file.write(AdminTokenRotationTests.tokens[0])
            let token = try #require(AdminToken(first, location: "a file", file: file))
            let logger = CapturingHandler.logger()
            capture = logger.capture
            rotation = AdminTokenRotation(token, logger: logger.logger, at: start)
        }

        /// Writes a token to the file, as a user does.
        func write(_ token: String) throws {
            _ = try AdminTokenFile(path: folder.path(of: "admin-token")).write(token)
        }

        /// Returns for each of the tokens whether it is valid some seconds after the start.
        func validity(after seconds: Int) -> [Bool] {
            AdminTokenRotationTests.tokens.map { matches($0, after: seconds) }
        }

        /// Returns whether a token is valid some seconds after the start.
        func matches(_ token: String, after seconds: Int) -> Bool {
            rotation.matches(token, at: start.advanced(by: .seconds(seconds)))
        }

        /// The number of warnings that the file cannot be used.
        var warningCount: Int {
            capture.lines.count { $0.message == "the administrative token is unchanged" }
        }
    }

    @Test func newTokenIsValidAtOnceAndTheEarlierOneForAMinute() throws {
        let example = try Example()
        #expect(example.validity(after: 0) == [true, false, false])
        try example.write(Self.tokens[1])
        #expect(example.validity(after: 0)[1])
        #expect(example.validity(after: 59) == [true, true, false])
        #expect(example.validity(after: 60) == [false, true, false])
        #expect(example.capture.lines.count { $0.message.hasPrefix("the administrative token was replaced") } == 1)
        let text = example.capture.lines.map { "\($0.message) \($0.metadata)" }.joined()
        for token in Self.tokens { #expect(!text.contains(token)) }
    }

    /// A token that was stolen must end, although its owner never uses the new one.
    @Test func earlierTokenEndsAlsoIfTheNewOneIsNotUsed() throws {
        let example = try Example()
        try example.write(Self.tokens[1])
        let first = Self.tokens[0]
        #expect(example.matches(first, after: 1))
        #expect(example.matches(first, after: 59))
        #expect(!example.matches(first, after: 61))
    }

    /// The minute begins when the file changes, not when a request comes.
    @Test(arguments: [120, 7_200]) func earlierTokenEndsIfNoRequestCame(_ seconds: Int) throws {
        let example = try Example()
        #expect(example.matches(Self.tokens[0], after: 0))
        try example.write(Self.tokens[1])
        #expect(!example.matches(Self.tokens[0], after: seconds))
        #expect(example.validity(after: seconds) == [false, true, false])
    }

    /// The change then seems to be in the future.
    @Test func clockThatIsSetBackDoesNotProlongTheEarlierToken() throws {
        let example = try Example()
        try example.write(Self.tokens[1])
        let now = AdminTokenRotation.Time(instant: example.start.instant, fileTime: .zero)
        #expect(example.rotation.matches(Self.tokens[1], at: now))
        #expect(example.validity(after: 59) == [true, true, false])
        #expect(example.validity(after: 60) == [false, true, false])
    }

    /// A provider token comes with each batch.
    @Test func textOfAnotherFormDoesNotReadTheFile() throws {
        let example = try Example()
        try example.write("short")
        for text in ["", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln", String(repeating: "g", count: 64)] {
            #expect(!example.matches(text, after: 5))
        }
        #expect(example.warningCount == 0)
        #expect(!example.matches(Self.tokens[2], after: 5))
        #expect(example.warningCount == 1)
    }

    @Test func secondReplacementEndsTheFirstTokenAtOnce() throws {
        let example = try Example()
        try example.write(Self.tokens[1])
        #expect(example.validity(after: 1)[1])
        try example.write(Self.tokens[2])
        #expect(example.matches(Self.tokens[2], after: 1))
        #expect(example.validity(after: 1) == [false, true, true])
    }

    @Test(arguments: ["", "short", String(repeating: "g", count: 64)])
    func fileWithoutATokenChangesNothing(_ text: String) throws {
        let example = try Example()
        try example.write(text)
        for seconds in 1...3 { #expect(example.validity(after: seconds) == [true, false, false]) }
        #expect(example.warningCount == 1)
        try example.write(Self.tokens[1])
        #expect(example.validity(after: 4)[1])
    }

    @Test func fileThatIsMissingOrThatOthersMayReadChangesNothing() throws {
        let example = try Example()
        let path = example.folder.path(of: "admin-token")
        try FileManager.default.removeItem(atPath: path)
        for seconds in 1...3 { #expect(example.validity(after: seconds) == [true, false, false]) }
        #expect(example.warningCount == 1)
        try example.write(Self.tokens[1])
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(example.validity(after: 4) == [true, false, false])
    }

    /// Streams depend on the secrets of devices, and clients that read the file again go on.
    @Test func devicesAndClientsGoOnAfterAReplacement() async throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "data/admin-token")
        try await RunningGateway.run(AdminTokenTests.configuration(folder)) { gateway in
            let client = GatewayClient(
                gateway.http,
                service: gateway.ready.service,
                courier: gateway.ready.courier,
                adminToken: {
                    (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .newlines)
                }
            )
            let registration = DeviceRegistration(name: "iPad", topics: ["com.example.clowntown"])
            let device = try await client.register(registration)
            let earlier = try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .newlines)
            _ = try AdminTokenFile(path: path).write(Self.tokens[1])
            _ = try await client.send(Array(line(device.token).utf8))
            #expect(try await gateway.events(1, of: device).count == 1)
            for (token, status) in [(Self.tokens[1], 200), (earlier, 200), (Self.tokens[2], 401)] {
                let headers = [("authorization", "Bearer \(token)")]
                let exchange = try await gateway.service(.GET, "/v1/namespaces", headers: headers)
                #expect(exchange.status == status)
            }
        }
    }
}
