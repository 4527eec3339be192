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
        (["a", "--locale", "ja"], "--locale requires --svg"), (["a", "--svg", "--limit", "101"], "from 0 to 100"),
        (["a", "--svg", "--offset", "1"], "--offset cannot be combined with --svg"),
        (["a", "--svg", "--style", "blue"], "'blue' is not accepted; use one of light, dark"),
        (["a", "--at", "1"], "--at requires --journal"), (["a", "--limit=-1"], "must not be negative"),
    ])
    func invalidOptionsOfAShelfAreRefused(_ arguments: [String], _ message: String) async throws {
        try await expectAsyncRefusal(of: DeviceShelfCommand.self, arguments, message)
    }

    @Test(arguments: [
        ["u"], ["u", "--svg", "--show", "menu", "--locale", "ja"], ["--view", "v", "--width", "100"],
        ["u", "--journal", "-", "--report"], ["u", "--journal", "-", "--show", "menu"],
        ["--show", "presentation", "--svg", "--style", "dark"],
    ])
    func validOptionsOfAnAttributionAreAccepted(_ arguments: [String]) async throws {
        _ = try await DeviceAttributionCommand.asyncParse(arguments)
    }

    @Test(
        arguments: [
            ([], "give exactly one of <url> and --view"),
            (["u", "--view", "v"], "give exactly one of <url> and --view"),
            (["u", "--report"], "--report requires --journal"), (["u", "--show", "menu"], "--show requires --svg"),
            (["u", "--show", "presentation", "--svg"], "leave out the link and --app"),
            (["u", "--backdrop", "colorful"], "--backdrop requires --svg"),
            (["u", "--svg", "--backdrop", "red"], "'red' is not accepted; use one of none, oneColor, colorful"),
            (
                ["u", "--svg", "--show", "menu", "--width", "9"],
                "--width is no option of --show menu; use --style, --content-size-category, --locale"
            ),
            (["u", "--locale", "English"], "'English' is not a language tag; use one of en, zh-Hans, ja, ko"),
            (["u", "--svg", "--format", "json"], "--format cannot be combined with --svg or --show"),
            (["u", "--height", "tall"], "'tall' is not a number of points from 0 to 100000"),
        ] as [([String], String)]
    )
    func invalidOptionsOfAnAttributionAreRefused(_ arguments: [String], _ message: String) async throws {
        try await expectAsyncRefusal(of: DeviceAttributionCommand.self, arguments, message)
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
