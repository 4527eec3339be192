internal import ArgumentParser
internal import JSONScanning
internal import TextBasics

/// Finds unknown and repeated options in the arguments of a command.
///
/// The argument parser checks the values first, so that `--too Phone` was taken for a file; and of an option that is
/// given twice, it takes the last one without a message.
enum OptionNames {
    /// Names that people try instead of those of options.
    private static let synonyms = ["sender": "from", "device": "to", "output": "format", "file": "payload"]

    /// The remedies of commands that have no such option.
    private static let remedies = [
        "up --port": """
        '--free-ports' uses free ports, and 'gateway: {service: "127.0.0.1:PORT"}' in a stack file \
        chooses one
        """
    ]

    /// Returns the problem with the first option in arguments that the command does not have, or `nil` if there is none.
    static func problem(in arguments: [String], of root: any ParsableCommand.Type) -> String? {
        guard let (described, rest) = described(arguments, of: root) else { return nil }
        let options = Set(described.flatMap { ($0.names ?? []).map(\.text) } + ["--help", "--version"])
        guard let name = optionNames(in: rest).first(where: { !options.contains($0) }) else { return nil }
        let remedy = Self.remedies["\(arguments.first ?? "") \(name)"]
        let hint = remedy ?? hint(for: String(name.dropFirst(2)), options, described)
        return "unknown option '\(name)'\(hint.map { "; \($0)" } ?? "")"
    }

    /// Returns a sentence about the first option that is given twice and accepts one value, or `nil` if there is none.
    ///
    /// It is no error: a script may have defaults before the arguments of its caller.
    static func repetition(in arguments: [String], of root: any ParsableCommand.Type) -> String? {
        let names = optionNames(in: arguments[...])
        // Most commands have no repetition, and the description of all of them takes time.
        guard Set(names).count < names.count, let (described, rest) = described(arguments, of: root) else { return nil }
        let single = described.filter { $0.kind == "option" && !$0.isRepeating }.flatMap {
            ($0.names ?? []).map(\.text)
        }
        var seen: Set<String> = []
        let repeated = optionNames(in: rest).first { single.contains($0) && !seen.insert($0).inserted }
        return repeated.map { "the option \($0) is given more than once; only the last one counts" }
    }

    private static func optionNames(in arguments: ArraySlice<String>) -> [String] {
        arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map { argument in
            String(argument.prefix { $0 != "=" })
        }
    }

    /// Returns the arguments and options of the command that arguments name, and the arguments after its name.
    private static func described(
        _ arguments: [String],
        of root: any ParsableCommand.Type
    ) -> (described: [DescribedArgument], rest: ArraySlice<String>)? {
        guard let help = try? DocumentDecoder.decode(DescribedProgram.self, fromDeepJSON: Array(root._dumpHelp().utf8))
        else { return nil }
        var (type, command) = (root, help.command)
        var rest = arguments[...]
        while let name = rest.first, let subtype = type.allSubcommands.first(where: { $0.names.contains(name) }),
            let subcommand = command.subcommands?.first(where: { $0.commandName == subtype.name })
        {
            (type, command) = (subtype, subcommand)
            rest = rest.dropFirst()
        }
        if let standard = type.configuration.defaultSubcommand,
            let subcommand = command.subcommands?.first(where: { $0.commandName == standard.name })
        {
            command = subcommand
        }
        return (command.arguments ?? [], rest)
    }

    /// Returns what could be meant by a word that is no option: an argument without a name, or the nearest option.
    private static func hint(for word: String, _ options: Set<String>, _ described: [DescribedArgument]) -> String? {
        let positional = described.first { argument in
            let name = argument.valueName ?? ""
            return argument.kind == "positional" && (name == word || name.hasSuffix("-\(word)"))
        }
        if let name = positional?.valueName { return "<\(name)> is an argument; write it without '--\(word)'" }
        let names = options.map { String($0.drop { $0 == "-" }) }.sorted()
        // '--to' is too short to be similar to anything else.
        let nearest =
            word.nearest(among: names) ?? names.first { word.editDistance(to: $0) == 1 }
            ?? synonyms[word].flatMap { names.contains($0) ? $0 : nil }
        return nearest.map { "did you mean '--\($0)'?" }
    }
}
