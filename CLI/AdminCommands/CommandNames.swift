internal import ArgumentParser
internal import Spelling

/// The check of the names of commands, before the arguments are parsed.
///
/// The argument parser calls an unknown command an unexpected argument, and answers a question for its help with the
/// general help.
enum CommandNames {
    /// Returns the problem with the first unknown command in arguments, or `nil` if all are known.
    static func problem(in arguments: [String], of root: any ParsableCommand.Type) -> String? {
        var (command, path) = (root, [root.name])
        for argument in arguments where !(command == root && argument == "help") {
            let subcommands = command.commands
            guard !argument.hasPrefix("-"), !subcommands.isEmpty else { return nil }
            if let next = subcommands.first(where: { $0.names.contains(argument) }) {
                command = next
                path.append(next.name)
            } else {
                // The default command may have arguments.
                guard command.configuration.defaultSubcommand == nil else { return nil }
                return problem(with: argument, after: path, subcommands)
            }
        }
        return nil
    }

    private static func problem(
        with name: String,
        after path: [String],
        _ subcommands: [any ParsableCommand.Type]
    ) -> String {
        let path = path.joined(separator: " ")
        let names = subcommands.filter { $0.configuration.shouldDisplay }.map { $0.name }
        let known = name.nearest(among: subcommands.flatMap { $0.names }).map { "did you mean '\(path) \($0)'?" }
        let noun = subcommands.first { $0.commands.contains { $0.names.contains(name) } }
        let verb = noun.map { "did you mean '\(path) \($0.name) \(name)'?" }
        let list = "the commands are \(names.joined(separator: ", "))"
        return "there is no command '\(path) \(name)'; \(known ?? verb ?? list)"
    }
}

extension ParsableCommand {
    /// The name of the command.
    static var name: String {
        configuration.commandName ?? "\(self)"
    }

    /// The name and the other names of the command.
    fileprivate static var names: [String] {
        [name] + configuration.aliases
    }

    /// All subcommands, in groups or not.
    static var commands: [any ParsableCommand.Type] {
        configuration.subcommands
    }
}
