import ArgumentParser
import Testing
import WaypostSchema

@testable import AdminCommands

/// Valid and invalid combinations of the options of the commands that read journals.
@Suite struct ReplayOptionsTests {
    @Test(arguments: [[], ["journal.jsonl"], ["-", "--effects", "--at", "0"], ["--at", "2022-06-07T09:41:00Z"]])
    func validOptionsAreAccepted(_ arguments: [String]) throws {
        _ = try ReplayCommand.parse(arguments)
    }

    @Test(arguments: [
        (["--at", "yesterday"], "'yesterday' is not a time; use milliseconds since 1970"),
        (["--at=-5"], "'-5' is not a time"), (["--at", "2022-06-07"], "a time such as 2022-06-07T09:41:00Z"),
    ])
    func invalidOptionsAreRefused(_ arguments: [String], _ message: String) throws {
        try expectRefusal(of: ReplayCommand.self, arguments, message)
    }

    @Test(arguments: [
        (["a", "--journal", "-", "--device", "iPad"], "leave out --device, --agent and --ready-file"),
        (["a", "--journal", "-", "--agent", "http://127.0.0.1:1"], "leave out --device, --agent and --ready-file"),
        (["a", "--journal", "-", "--svg"], "'waypost shelf render' draws the shelf of a journal"),
        (["a", "--at", "1"], "--at requires --journal"), (["a", "--limit=-1"], "must not be negative"),
    ])
    func invalidOptionsOfAShelfAreRefused(_ arguments: [String], _ message: String) async throws {
        try await expectAsyncRefusal(of: DeviceShelfCommand.self, arguments, message)
    }

    @Test(arguments: [
        (["last", "--shelves"], "--shelves is for a URL"),
        (["https://a.example", "--shelves", "--app", "a"], "give one of --app and --shelves"),
        (["https://a.example", "--scene", "a"], "--scene needs a notification, or --target-content-id"),
    ])
    func invalidQuestionsAreRefused(_ arguments: [String], _ message: String) async throws {
        try await expectAsyncRefusal(of: DeviceExplainCommand.self, arguments, message)
    }

    @Test(arguments: [
        ("1654594860000", 1_654_594_860_000), ("2022-06-07T09:41:00Z", 1_654_594_860_000),
        ("2022-06-07T11:41:00+02:00", 1_654_594_860_000), ("0", 0),
    ])
    func timeIsInMillisecondsOrISO8601(_ text: String, _ milliseconds: Int) throws {
        #expect(try Timestamp(argument: text).rawValue == milliseconds)
    }
}
