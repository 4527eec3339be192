import ArgumentParser
import Testing
import WaypostSchema

@testable import AdminCommands

/// Valid and invalid combinations of the options of `waypost replay`.
@Suite struct ReplayOptionsTests {
    @Test(arguments: [
        [], ["journal.jsonl"], ["-", "--shelf", "a", "--offset", "20", "--limit", "0"], ["--effects", "--at", "0"],
        ["--explain", "https://a.example", "--app", "a", "--at", "2022-06-07T09:41:00Z"],
    ])
    func validOptionsAreAccepted(_ arguments: [String]) throws {
        _ = try ReplayCommand.parse(arguments)
    }

    @Test(arguments: [
        (["--shelf", "a", "--effects"], "give only one of --shelf, --explain and --effects"),
        (["--shelf", "a", "--explain", "https://a.example"], "only one of"),
        (["--app", "a"], "--app requires --explain"), (["--shelf", "a", "--limit=-1"], "must not be negative"),
        (["--at", "yesterday"], "'yesterday' is not a time; use milliseconds since 1970"),
        (["--at=-5"], "'-5' is not a time"), (["--at", "2022-06-07"], "a time such as 2022-06-07T09:41:00Z"),
        (["--effects", "--limit", "3"], "--offset and --limit require --shelf"),
    ])
    func invalidOptionsAreRefused(_ arguments: [String], _ message: String) throws {
        try expectRefusal(of: ReplayCommand.self, arguments, message)
    }

    @Test(arguments: [
        ("1654594860000", 1_654_594_860_000), ("2022-06-07T09:41:00Z", 1_654_594_860_000),
        ("2022-06-07T11:41:00+02:00", 1_654_594_860_000), ("0", 0),
    ])
    func timeIsInMillisecondsOrISO8601(_ text: String, _ milliseconds: Int) throws {
        #expect(try Timestamp(argument: text).rawValue == milliseconds)
    }
}
