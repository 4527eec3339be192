internal import ArgumentParser
internal import Foundation

/// The help of commands, as people read it.
enum HelpText {
    /// The options that many commands have; a usage line has `[<options>]` for them.
    private static let commonOptions = [
        "admin-token-file", "agent", "console", "context", "format", "gateway", "namespace", "own-gateway", "quiet",
        "ready-file", "verbose",
    ]

    /// The commands that people need first, in order.
    private static let overviewCommands: [any ParsableCommand.Type] = [
        UpCommand.self, DemoCommand.self, SendCommand.self, NotificationsCommand.self, TokensCommand.self,
        DeviceCommand.self, CallbacksCommand.self, CheckCommand.self, ScenarioCommand.self, LoadCommand.self,
        DoctorCommand.self,
    ]

    /// The help that `waypost` and `waypost --help` print.
    static var overview: String {
        let width = (overviewCommands.map { $0.name.count }.max() ?? 0) + 2
        let commands = overviewCommands.map { command in
            "  \(command.name.padding(toLength: width, withPad: " ", startingAt: 0))\(command.configuration.abstract)"
        }
        return """
            \(WaypostCommand.configuration.abstract)

            \(commands.joined(separator: "\n"))

            'waypost help <command>' has the options of a command, 'waypost help all' lists all commands.
            'waypost help gateway' and 'waypost help agent' have the options of the other two programs.
            """
    }

    /// Returns the whole help of a command.
    ///
    /// - Parameters:
    ///   - command: the command.
    ///   - path: its names from the first, such as `waypost tokens list`.
    ///   - columns: the width of the lines; that of the terminal by default.
    /// - Returns: the help.
    static func help(of command: any ParsableCommand.Type, path: String, columns: Int? = nil) -> String {
        let help = withShortUsage(WaypostCommand.helpMessage(for: command, columns: columns))
        guard let example = CommandExamples.example(of: path) else { return help }
        // The example follows the usage, which ends at the next empty line.
        guard let usage = help.range(of: "USAGE: "), let end = help[usage.upperBound...].range(of: "\n\n") else {
            return help
        }
        return help[..<end.lowerBound] + "\n\nEXAMPLE: \(example)" + help[end.lowerBound...]
    }

    /// Returns the whole help of a command; for a group with a default command, that of the default one.
    static func helpWithDefault(of command: any ParsableCommand.Type, path: String) -> String {
        guard let standard = command.configuration.defaultSubcommand else { return help(of: command, path: path) }
        let others = command.allSubcommands.filter { $0.name != standard.name }
        let width = (others.map { $0.name.count }.max() ?? 0) + 2
        let lines = others.map { other in
            "  \(other.name.padding(toLength: width, withPad: " ", startingAt: 0))\(other.configuration.abstract)"
        }
        return help(of: standard, path: "\(path) \(standard.name)")
            + "\n\nOTHER COMMANDS OF '\(path)':\n\(lines.joined(separator: "\n"))"
    }

    /// Returns a help, or an error with a usage line, whose usage lines have no common options.
    static func withShortUsage(_ text: String) -> String {
        guard let start = text.range(of: #"(?mi)^usage: "#, options: .regularExpression) else { return text }
        let end = text[start.upperBound...].range(of: "\n\n")?.lowerBound ?? text.endIndex
        let usage = String(text[start.upperBound..<end])
        let pattern = #"\s\[--(\#(commonOptions.joined(separator: "|")))(\s<[^>]*>)?\]"#
        let short = usage.replacingOccurrences(of: pattern, with: "", options: .regularExpression)
        guard short != usage else { return text }
        return text[..<start.upperBound] + withOptionsPlaceholder(short) + text[end...]
    }

    /// Returns a usage with `[<options>]` after the names of the command.
    private static func withOptionsPlaceholder(_ usage: String) -> String {
        guard !usage.contains("<options>") else { return usage }
        let words = usage.split(separator: " ", omittingEmptySubsequences: false)
        let names = words.prefix { word in word.allSatisfy { $0.isLetter || $0 == "-" } && !word.hasPrefix("-") }
        return (names.map(String.init) + ["[<options>]"] + words.dropFirst(names.count).map(String.init))
            .joined(separator: " ")
    }
}
