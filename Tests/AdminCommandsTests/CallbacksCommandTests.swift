import ArgumentParser
import Foundation
import SceneCallbacks
import Testing
import TextReports
import WaypostSchema
import WaypostTestSupport

@testable import AdminCommands

/// Tests of `waypost callbacks`.
@Suite struct CallbacksCommandTests {
    private static let plugIn = Repository.root.appending(path: "docs/examples/callbacks/plug-in.yaml").path
    private static let coldTap = ["--cause", "notificationTap", "--state", "notRunning"]
    private static let plugInTap = ["--app", plugIn] + coldTap

    private static func sequences(_ arguments: [String]) throws -> [CallbackSequence] {
        try CallbacksCommand.parse(arguments).sequences()
    }

    /// Returns the failure of a command, or `nil` if it succeeds.
    private static func failure(of arguments: [String]) async throws -> CommandFailure? {
        let command = try CallbacksCommand.parse(arguments + ["--quiet"])
        do {
            try await command.perform()
            return nil
        } catch let failure as CommandFailure {
            return failure
        }
    }

    // MARK: One cause and one state

    @Test func pageHasTheExampleAndItsAnswer() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/callbacks.md"), encoding: .utf8)
        let example = try String(contentsOfFile: Self.plugIn, encoding: .utf8).split(separator: "\n")
        let sequence = try #require(try Self.sequences(Self.plugInTap).first)
        for lines in [example.filter { !$0.hasPrefix("#") }, sequence.text.split(separator: "\n")] {
            #expect(page.contains(lines.map { "    \($0)\n" }.joined()))
        }
    }

    @Test func correctedAppReceivesTheEvent() async throws {
        let folder = try ScratchFolder()
        let text = try String(contentsOfFile: Self.plugIn, encoding: .utf8)
            .replacing("setIn: later", with: "setIn: didFinishLaunching")
        let arguments = ["--app", try folder.write(text.utf8, to: "app.yaml")] + Self.coldTap
        #expect(
            try Self.sequences(arguments).map(\.row) == [
                ["notificationTap", "notRunning", "once", "center.didReceive"]
            ]
        )
        #expect(try await Self.failure(of: arguments) == nil)
    }

    @Test(arguments: [(14, false), (15, true)]) func systemHasItsMethods(_ system: Int, _ isCalled: Bool) throws {
        let arguments = ["--cause", "restoration", "--state", "notRunning", "--system", "\(system)"]
        let steps = try Self.sequences(arguments).flatMap(\.steps)
        #expect(steps.contains { $0.callback == .scene(.restoreInteractionState) } == isCalled)
    }

    // MARK: The matrix

    @Test(
        arguments: [
            ([], EventCause.allCases.count * InitialState.allCases.count),
            (["--cause", "handoff"], InitialState.allCases.count),
            (["--state", "background"], EventCause.allCases.count),
        ] as [([String], Int)]
    )
    func matrixHasARowForEachCombination(_ arguments: [String], _ count: Int) throws {
        let sequences = try Self.sequences(arguments)
        #expect(Set(sequences.map { [$0.cause.rawValue, $0.state.rawValue] }).count == count)
        #expect(sequences.count == count)
    }

    @Test(
        arguments: [
            (
                ["--cause", "universalLink", "--state", "background"],
                ["universalLink", "background", "", "scene.continueUserActivity"]
            ),
            (plugInTap, ["notificationTap", "notRunning", "lost", ""]),
            (["--cause", "icon", "--state", "notRunning"], ["icon", "notRunning", "", ""]),
            (
                ["--cause", "icon", "--state", "foregroundActive"],
                ["icon", "foregroundActive", "", "cannot happen: the scene is in the foreground already"]
            ),
            (
                ["--life-cycle", "swiftUI", "--cause", "quickAction", "--state", "notRunning"],
                ["quickAction", "notRunning", "lost", ""]
            ),
            (
                ["--life-cycle", "appDelegate", "--cause", "quickAction", "--state", "notRunning"],
                ["quickAction", "notRunning", "", "app.didFinishLaunching, app.performAction"]
            ),
        ] as [([String], [String])]
    )
    func rowHasTheOutcomeAndTheCallsWithTheEvent(_ arguments: [String], _ row: [String]) throws {
        #expect(try Self.sequences(arguments).map(\.row) == [row])
    }

    @Test func mistakesAreBelowTheTableOnce() throws {
        let sequences = try Self.sequences(["--app", Self.plugIn])
        let text = CallbacksCommand.table(sequences).text(in: .plain)
        #expect(text.hasPrefix("Cause"))
        #expect(text.contains("\n\n! a response that launches the app may be lost"))
        #expect(text.split(separator: "[notificationDelegateLate]", omittingEmptySubsequences: false).count == 2)
    }

    // MARK: The exit status

    @Test(
        arguments: [
            (plugInTap, true), (["--app", plugIn], true), (["--app", plugIn, "--state", "background"], false),
            (coldTap, false), ([], false), (["--cause", "restoration", "--state", "newScene"], true),
        ] as [([String], Bool)]
    )
    func mistakeOrImpossibleEventFailsTheCommand(_ arguments: [String], _ fails: Bool) async throws {
        let expected: CommandFailure? = fails ? .failed() : nil
        #expect(try await Self.failure(of: arguments) == expected)
    }

    @Test(arguments: [
        (["--cause", "notificationtap"], "did you mean 'notificationTap'?"),
        (["--state", "asleep"], "use one of notRunning, notRunningNewScene, prewarmed"),
        (["--life-cycle", "flutter"], "use one of appDelegate, uiScene"), (["--system", "12"], "use 13"),
    ])
    func unknownValueIsRefused(_ arguments: [String], _ message: String) throws {
        try expectRefusal(of: CallbacksCommand.self, arguments, message)
    }

    @Test func lifeCycleMustBeThatOfTheFile() async throws {
        let arguments = ["--app", Self.plugIn, "--state", "background", "--life-cycle"]
        #expect(try await Self.failure(of: arguments + ["uiScene"]) == nil)
        let failure = try #require(try await Self.failure(of: arguments + ["appDelegate"]))
        #expect(failure.status == .unusableInput)
        #expect(failure.message?.contains("has uiScene") == true)
    }

    @Test func fileThatSaysNothingIsAnyApp() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("bundleIdentifier: a.b\nscenes: []\n".utf8, to: "app.yaml")
        let sequences = try Self.sequences(["--app", path, "--life-cycle", "appDelegate"] + Self.coldTap)
        #expect(sequences.map(\.app) == [AppImplementation(lifeCycle: .appDelegate)])
    }
}
