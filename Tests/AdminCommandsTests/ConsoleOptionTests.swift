import ArgumentParser
import Testing
import WaypostSchema

@testable import AdminCommands

/// The gateway whose console shows a run.
@Suite struct ConsoleOptionTests {
    private static let gatewayOfRun = ConsoleOption.Gateway(
        service: "http://127.0.0.1:1",
        token: "own",
        namespace: "run"
    )

    private static func gateway(
        _ arguments: [String] = [],
        _ environment: [String: String] = [:],
        besides runGateway: ConsoleOption.Gateway? = gatewayOfRun
    ) throws -> ConsoleOption.Gateway? {
        try ConsoleOption.parse(arguments).gateway(besides: runGateway, environment)
    }

    @Test func runIsShownByTheGatewayThatItUses() throws {
        #expect(try Self.gateway() == Self.gatewayOfRun)
        #expect(try Self.gateway(besides: nil) == nil)
    }

    @Test func optionPrecedesTheEnvironmentAndThatTheGatewayOfTheRun() throws {
        let environment = ["WAYPOST_CONSOLE": "http://127.0.0.1:8"]
        #expect(try Self.gateway([], environment)?.service == "http://127.0.0.1:8")
        #expect(try Self.gateway(["--console", "http://127.0.0.1:9"], environment)?.service == "http://127.0.0.1:9")
        #expect(try Self.gateway([], ["WAYPOST_CONSOLE": ""]) == Self.gatewayOfRun)
    }

    @Test func tokenOfAGatewayIsSentToNoOther() throws {
        let other = ["--console", "http://127.0.0.1:9"]
        #expect(try Self.gateway(other, ["WAYPOST_ADMIN_TOKEN": "own"])?.token == nil)
        #expect(try Self.gateway(other, ["WAYPOST_CONSOLE_TOKEN": "its"])?.token == "its")
        #expect(try Self.gateway(["--console", Self.gatewayOfRun.service]) == Self.gatewayOfRun)
    }

    @Test(arguments: ["127.0.0.1:9", "ftp://127.0.0.1"]) func otherURLsAreRefused(_ url: String) {
        #expect(throws: (any Error).self) { try Self.gateway(["--console", url]) }
        #expect(throws: (any Error).self) { try Self.gateway([], ["WAYPOST_CONSOLE": url]) }
    }
}
