internal import ArgumentParser
internal import Foundation
internal import TextBasics

/// Finds unknown commands in arguments, before they are parsed.
///
/// For an unknown command, the argument parser reports an unexpected argument; for the help of one, it prints the
/// general help.
enum CommandNames {
    /// Returns the problem with the first unknown command in arguments, or `nil` if all are known.
    static func problem(in arguments: [String], of root: any ParsableCommand.Type) -> String? {
        var (command, path) = (root, [root.name])
        for argument in arguments where !(command == root && argument == "help") {
            let subcommands = command.allSubcommands
            guard !argument.hasPrefix("-"), !subcommands.isEmpty else { return nil }
            if let subcommand = subcommands.first(where: { $0.names.contains(argument) }) {
                command = subcommand
                path.append(subcommand.name)
            } else {
                // The default command may have arguments, such as a file.
                if command.configuration.defaultSubcommand != nil {
                    let isFile =
                        argument.contains { "./-".contains($0) } || FileManager.default.fileExists(atPath: argument)
                    let correction = isFile ? nil : correction(of: argument, among: subcommands)
                    guard correction != nil || argument.nearest(among: replacedCommands) != nil else { return nil }
                }
                return problem(with: argument, after: path, of: root, among: subcommands)
            }
        }
        return nil
    }

    private static func problem(
        with name: String,
        after names: [String],
        of root: any ParsableCommand.Type,
        among subcommands: [any ParsableCommand.Type]
    ) -> String {
        let path = names.joined(separator: " ")
        let programs = names.count == 1 ? Self.programs : []
        let commands = (subcommands.filter { $0.configuration.shouldDisplay }.map { $0.name } + programs)
            .joined(separator: ", ")
        if path.contains(" "), !subcommands.contains(where: { $0.name == "check" }),
            name.nearest(among: replacedCommands) != nil
        {
            return "there is no command '\(path) \(name)'; use 'waypost check FILE...'"
        }
        if let correction = correction(of: name, among: subcommands) {
            return "there is no command '\(path) \(name)'; did you mean '\(path) \(correction)'?"
        }
        if names.count == 1, let program = name.nearest(among: programs) {
            return "there is no command '\(path) \(name)'; did you mean '\(path) \(program)'?"
        }
        if let group = names.dropFirst().last, let command = relatedCommand(for: name, in: group, of: root) {
            return "there is no command '\(path) \(name)'; did you mean '\(command)'? The commands are \(commands)"
        }
        return "there is no command '\(path) \(name)'; the commands are \(commands)"
    }

    /// The first arguments that choose another program.
    private static let programs = ["gateway", "agent"]

    /// Returns the only command of another group that has the name, or that has the name of this group.
    ///
    /// For `waypost shelf com.example.tv`, it is `waypost device shelf com.example.tv`.
    private static func relatedCommand(
        for name: String,
        in group: String,
        of root: any ParsableCommand.Type
    ) -> String? {
        let groups = root.allSubcommands.filter { $0.name != group }
        if let command = groups.first(where: { $0.names.contains(name) }) { return "\(root.name) \(command.name)" }
        for word in [name, group] {
            let owners = groups.filter { $0.allSubcommands.contains { $0.names.contains(word) } }
            guard owners.count <= 1 else { return nil }
            guard let owner = owners.first else { continue }
            return "\(root.name) \(owner.name) \(word)" + (word == name ? "" : " \(name)")
        }
        return nil
    }

    /// Names of commands that `waypost check` has replaced.
    private static let replacedCommands = ["check"]

    /// Names that people try instead of those of commands.
    private static let synonyms = [
        "validate": "check", "lint": "check", "start": "up", "run": "up", "status": "health", "ps": "tokens list",
        "log": "notifications list",
        "logs": "notifications follow", "push": "send", "register": "tokens create", "config": "context",
    ]

    /// Returns the rest of the command line that a name probably misspells, if there is one.
    private static func correction(of name: String, among subcommands: [any ParsableCommand.Type]) -> String? {
        let names = subcommands.flatMap { $0.names }
        // A file without a command before it.
        if name.contains("/") || name.contains("."), names.contains("run") { return "run \(name)" }
        if let relatedName = names.first(where: { $0.hasPrefix(name) || name.hasPrefix($0) }) { return relatedName }
        if let nearest = name.nearest(among: names) { return nearest }
        if let synonym = synonyms[name], names.contains(String(synonym.prefix { $0 != " " })) { return synonym }
        return subcommands.first { $0.allSubcommands.contains { $0.names.contains(name) } }.map { "\($0.name) \(name)" }
    }
}

extension ParsableCommand {
    /// The name of the command.
    static var name: String {
        configuration.commandName ?? "\(self)"
    }

    /// The name and the other names of the command.
    static var names: [String] {
        [name] + configuration.aliases
    }

    /// All subcommands, in groups or not.
    static var allSubcommands: [any ParsableCommand.Type] {
        configuration.subcommands
    }
}
