import Testing

@testable import AdminCommands

/// Tests of what the program says about options that a command does not have, or that are given twice.
@Suite struct OptionNamesTests {
    private static func words(_ line: String) -> [String] {
        line.split(separator: " ").map(String.init)
    }

    @Test(arguments: [
        ("send --too Phone --topic a.b", "unknown option '--too'; did you mean '--to'?"),
        ("send --tokn 00ff", "did you mean '--token'?"), ("device open --urll x", "unknown option '--urll'"),
        ("device receive-message --sender +1 hi", "did you mean '--from'?"),
        ("device save-contact --name Ann", "<given-name> is an argument; write it without '--name'"),
        ("faults add --device Phone respond", "<device> is an argument; write it without '--device'"),
        ("up --port 1234", "unknown option '--port'; '--free-ports' uses free ports, and"),
        ("send --xyzzy", "unknown option '--xyzzy'"), ("scenario --kepe x a.yaml", "did you mean '--keep'?"),
    ])
    func unknownOptionGetsASuggestion(_ line: String, _ words: String) throws {
        let problem = try #require(OptionNames.problem(in: Self.words(line), of: WaypostCommand.self))
        #expect(problem.contains(words), "\(problem)")
    }

    @Test(arguments: ["send --to Phone --badge 3", "load --devices 5 --slo lost=0", "send -- --too"])
    func optionOfTheCommandIsNoProblem(_ line: String) {
        #expect(OptionNames.problem(in: Self.words(line), of: WaypostCommand.self) == nil)
    }

    @Test func optionThatAcceptsOneValueHasAWarningIfGivenTwice() {
        let line = "links match a.json --url https://a.example --url=https://b.example"
        let problem = OptionNames.repetition(in: Self.words(line), of: WaypostCommand.self)
        #expect(problem == "the option --url is given more than once; only the last one counts")
    }

    @Test(arguments: [
        "load --slo lost=0 --slo errors=0", "check --set a=1 --set b=2 x.yaml", "send --title a -- --title",
    ])
    func optionThatAcceptsSeveralValuesIsGivenTwice(_ line: String) {
        #expect(OptionNames.repetition(in: Self.words(line), of: WaypostCommand.self) == nil)
    }
}
