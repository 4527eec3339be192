internal import ArgumentParser
internal import JSONScanning
internal import TextBasics

/// Finds unknown options in the arguments of a command that was not accepted.
///
/// The argument parser checks the values first, so that `--too Phone` was taken for a file.
enum OptionNames {
    /// Returns the problem with the first unknown option in arguments, or `nil` if all are known.
    static func problem(in arguments: [String], of root: any ParsableCommand.Type) -> String? {
        guard let help = try? DocumentDecoder.decode(DescribedProgram.self, fromDeepJSON: Array(root._dumpHelp().utf8))
        else { return nil }
        var (type, command) = (root, help.command)
        var rest = arguments[...]
        while let name = rest.first, let subtype = type.allSubcommands.first(where: { $0.name == name }),
            let subcommand = command.subcommands?.first(where: { $0.commandName == name })
        {
            (type, command) = (subtype, subcommand)
            rest = rest.dropFirst()
        }
        if let standard = type.configuration.defaultSubcommand,
            let subcommand = command.subcommands?.first(where: { $0.commandName == standard.name })
        {
            command = subcommand
        }
        let known = Set((command.arguments ?? []).flatMap { ($0.names ?? []).map(\.text) } + ["--help", "--version"])
        for argument in rest.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
            let name = String(argument.prefix { $0 != "=" })
            guard !known.contains(name) else { continue }
            let names = known.map { String($0.drop { $0 == "-" }) }
            let word = String(name.dropFirst(2))
            // '--to' is too short to be similar to anything else.
            let nearest = word.nearest(among: names.sorted()) ?? names.sorted().first { word.editDistance(to: $0) == 1 }
            return "unknown option '\(name)'\(nearest.map { "; did you mean '--\($0)'?" } ?? "")"
        }
        return nil
    }
}
