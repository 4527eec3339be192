import Testing

@testable import AdminCommands

/// Tests of what the program says about commands that do not exist.
@Suite struct CommandNamesTests {
    private static func problem(_ line: String) -> String? {
        CommandNames.problem(in: line.split(separator: " ").map(String.init), of: WaypostCommand.self)
    }

    @Test(arguments: [
        ("snd", "did you mean 'waypost send'?"), ("notifications lst", "did you mean 'waypost notifications list'?"),
        ("keyz list", "did you mean 'waypost keys'?"), ("help snd", "did you mean 'waypost send'?"),
        ("upp", "did you mean 'waypost up'?"), ("batch", "did you mean 'waypost batches'?"),
        ("context us", "did you mean 'waypost context use'?"), ("status", "did you mean 'waypost health'?"),
        ("logs", "did you mean 'waypost notifications follow'?"),
        ("scenario recrod", "did you mean 'waypost scenario record'?"),
        ("scenario check a.yaml", "use 'waypost check FILE...'"), ("load check", "use 'waypost check FILE...'"),
        ("scenario chek", "use 'waypost check FILE...'"),
        // A verb without its noun.
        ("rotate", "did you mean 'waypost tokens rotate'?"),
        ("nonsense --help", "the commands are up, demo, context"),
        ("gatway", "did you mean 'waypost gateway'?"), ("help agnt", "did you mean 'waypost agent'?"),
        // A word that is a command of another group, or a group whose name is such a word.
        ("shelf com.example.tv", "did you mean 'waypost device shelf com.example.tv'? The commands are render"),
        ("attribution https://tv.example/", "did you mean 'waypost device attribution https://tv.example/'?"),
        ("scenes com.example.tv", "did you mean 'waypost device scenes com.example.tv'?"),
        ("notifications com.example.tv", "did you mean 'waypost device notifications com.example.tv'?"),
        ("devices consent", "did you mean 'waypost device consent'?"),
        ("device standing", "did you mean 'waypost tokens standing'?"),
        ("device keys", "did you mean 'waypost keys'?"),
        ("namespaces show", "the commands are list, reset"),
        ("nonsense --help", ", version, gateway, agent"),
        ("keys nonsense --help", "the commands are create, import, list, revoke"),
    ])
    func unknownCommandGetsASuggestion(_ line: String, _ words: String) throws {
        let problem = try #require(Self.problem(line))
        #expect(problem.hasPrefix("there is no command 'waypost "))
        #expect(problem.contains(words), "\(problem)")
    }

    @Test(arguments: [
        "", "--help", "help", "help keys list", "send --title x", "notifications list", "notifications list file",
        "clock", "clock advance 5m", "load 5m", "keys",
        "scenario bread.yaml", "check a.yaml", "tokens list", "devices list", "help devices show",
    ])
    func knownCommandIsNoProblem(_ line: String) {
        #expect(Self.problem(line) == nil)
    }
}
