import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import WaypostTesting

/// `WaypostTesting`, the library for tests in Swift: what it says if something is wrong.
///
/// The stories in docs/examples/swift show what it does otherwise.
@Suite(.timeLimit(.minutes(1))) struct TestingLibraryTests {
    private static let iPad = Scenario.example("town/devices/ipad.yaml")
    private static let programs = ["WAYPOST_BIN": BuiltPrograms.folder.path]

    /// Runs `body` as a test with devices.
    private func run(
        devices: [String] = [iPad],
        environment: [String: String] = programs,
        _ body: @Sendable () async throws -> Void
    ) async throws {
        try await TestProcesses.run(devices: devices, environment: environment) { processes in
            try await Waypost.$processes.withValue(processes) { try await body() }
        }
    }

    @Test(arguments: [
        (["WAYPOST_BIN": "/nowhere", "PATH": "/usr/share"], "in WAYPOST_BIN (/nowhere) or on the PATH"),
        (["PATH": "/usr/share"], "on the PATH"),
        ([:], "on the PATH"),
    ])
    func missingProgramSaysWhatToDo(_ environment: [String: String], _ place: String) async throws {
        let error = await #expect(throws: WaypostError.self) { try await run(environment: environment) {} }
        #expect(
            error?.description == """
                waypost-gateway is not \(place); run 'make programs' in a clone of Waypost, and set WAYPOST_BIN to its \
                folder .build/bin
                """
        )
    }

    @Test(arguments: [
        ["WAYPOST_BIN": "/nowhere", "PATH": BuiltPrograms.folder.path],
        ["PATH": "/usr/share:\(BuiltPrograms.folder.path)"],
    ])
    func programsAreOnThePathToo(_ environment: [String: String]) async throws {
        try await run(environment: environment) {
            let iPad = try Waypost.device()
            #expect(iPad.name == "iPad")
        }
    }

    @Test func unusableDeviceFileIsNamed() async throws {
        let error = await #expect(throws: WaypostError.self) { try await run(devices: ["/nowhere/ipad.yaml"]) {} }
        #expect(
            error?.description.hasPrefix(
                "waypost-agent ended early:\nwaypost-agent: /nowhere/ipad.yaml:1:1: cannot be read"
            )
                == true
        )
    }

    @Test func devicesOfOneFileHaveNamesAndAnOrder() async throws {
        try await run(devices: ["Yours=\(Self.iPad)", "Mine=\(Self.iPad)"]) {
            let (mine, yours) = (try Waypost.device("Mine"), try Waypost.device("Yours"))
            #expect(mine.token != yours.token)
            #expect(throws: WaypostError.noDevice(nil, available: ["Yours", "Mine"])) { try Waypost.device() }
            #expect(throws: WaypostError.noDevice("iPad", available: ["Yours", "Mine"])) { try Waypost.device("iPad") }
        }
    }

    @Test func testWithoutTheTraitHasNoDevice() {
        #expect(throws: WaypostError.noTrait) { try Waypost.device() }
    }

    @Test func failedActionNamesTheLineOfTheCall() async throws {
        try await run {
            let iPad = try Waypost.device()
            let error = await #expect(throws: WaypostError.self) {
                _ = try await iPad.open(app: "com.example.tw")
            }
            let text = error?.description ?? ""
            #expect(text.hasPrefix("TestingLibraryTests.swift:\(#line - 4):"))
            #expect(text.contains("'com.example.tw', which is no app of a device; did you mean 'com.example.tv'?"))
        }
    }

    @Test func wrongExpectationExplainsTheDecision() async throws {
        try await run {
            let iPad = try Waypost.device()
            let opened = try await iPad.open(url: "https://tv.example/shows/lasso")
            withKnownIssue {
                opened.expect(scene: "overview")
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("com.example.tv opens: the URL is one of its") }
                    && issue.sourceLocation?.line == #line - 3
            }
            try await withKnownIssue {
                try await iPad.expect(shelf: ["https://tv.example/shows/lasso"], within: .milliseconds(100))
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("expected shelf https://tv.example/shows/lasso, got") }
                    && issue.sourceLocation?.line == #line - 3
            }
        }
    }
}
