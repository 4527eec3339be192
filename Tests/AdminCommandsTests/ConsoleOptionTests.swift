import ArgumentParser
import Testing
import WaypostSchema

@testable import AdminCommands

/// The gateway whose console shows a run.
@Suite struct ConsoleOptionTests {
    private static let gatewayOfRun = ConsoleOption.Place(service: "http://127.0.0.1:1", token: "own", namespace: "run")

    private static func place(
        _ arguments: [String] = [],
        _ environment: [String: String] = [:],
        besides used: ConsoleOption.Place? = gatewayOfRun
    ) throws -> ConsoleOption.Place? {
        try ConsoleOption.parse(arguments).place(besides: used, environment)
    }

    @Test func runIsShownByTheGatewayThatItUses() throws {
        #expect(try Self.place() == Self.gatewayOfRun)
        #expect(try Self.place(besides: nil) == nil)
    }

    @Test func optionPrecedesTheEnvironmentAndThatTheGatewayOfTheRun() throws {
        let environment = ["WAYPOST_CONSOLE": "http://127.0.0.1:8"]
        #expect(try Self.place([], environment)?.service == "http://127.0.0.1:8")
        #expect(try Self.place(["--console", "http://127.0.0.1:9"], environment)?.service == "http://127.0.0.1:9")
        #expect(try Self.place([], ["WAYPOST_CONSOLE": ""]) == Self.gatewayOfRun)
    }

    @Test func tokenOfAGatewayIsSentToNoOther() throws {
        let other = ["--console", "http://127.0.0.1:9"]
        #expect(try Self.place(other, ["WAYPOST_ADMIN_TOKEN": "own"])?.token == nil)
        #expect(try Self.place(other, ["WAYPOST_CONSOLE_TOKEN": "its"])?.token == "its")
        #expect(try Self.place(["--console", Self.gatewayOfRun.service]) == Self.gatewayOfRun)
    }

    @Test(arguments: ["127.0.0.1:9", "ftp://127.0.0.1"]) func otherURLsAreRefused(_ url: String) {
        #expect(throws: (any Error).self) { try Self.place(["--console", url]) }
        #expect(throws: (any Error).self) { try Self.place([], ["WAYPOST_CONSOLE": url]) }
    }
}
