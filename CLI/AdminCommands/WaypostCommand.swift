package import ArgumentParser
internal import Foundation

/// The `waypost` command, which contains all others.
package struct WaypostCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "waypost",
        abstract: "Test and explain push notifications, scenes and shared links of Apple devices on Linux.",
        discussion: """
            Every decision can be explained. Filters read JSON Lines, and answer each line with one line. Exit status: \
            0 success, 1 the answer is no or an expectation failed, 2 the input cannot be used, 64 wrong usage, 69 a \
            gateway or an agent cannot be reached.

            'waypost help gateway' and 'waypost help agent' have the options of the other two programs.
            """,
        version: Version.report.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Start",
                subcommands: [UpCommand.self, DemoCommand.self, ContextCommand.self, DoctorCommand.self]
            ),
            CommandGroup(
                name: "Gateway",
                subcommands: [
                    SendCommand.self, NotificationsCommand.self, BatchesCommand.self, TokensCommand.self,
                    StreamsCommand.self, InboxCommand.self, StorageCommand.self, ChannelsCommand.self,
                    NamespacesCommand.self, ClockCommand.self, KeysCommand.self, FaultsCommand.self,
                    HealthCommand.self, TopCommand.self, MetricsCommand.self, BackupCommand.self, RestoreCommand.self,
                    CertificateAuthorityCommand.self,
                ]
            ),
            CommandGroup(
                name: "Test",
                subcommands: [
                    CheckCommand.self, ScenarioCommand.self, ProviderCommand.self, LoadCommand.self, FleetCommand.self,
                ]
            ),
            CommandGroup(
                name: "Explain",
                subcommands: [
                    ScenesCommand.self, CallbacksCommand.self, LinksCommand.self, PredicateCommand.self,
                    PayloadCommand.self, ReplayCommand.self,
                ]
            ),
            CommandGroup(
                name: "Device",
                subcommands: [DeviceCommand.self, AppCommand.self, AttributionCommand.self, ShelfCommand.self]
            ),
            CommandGroup(
                name: "Tools",
                subcommands: [CompletionsCommand.self, ManualCommand.self, SchemaCommand.self, VersionCommand.self]
            ),
        ]
    )

    /// Creates the command; the argument parser sets its properties.
    package init() {}

    /// Parses the arguments of the process, and runs their command.
    package static func start() async {
        if let help = help(for: Array(CommandLine.arguments.dropFirst())) {
            print(help)
            return
        }
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let problem = CommandNames.problem(in: arguments, of: self) {
            StandardError.write("waypost: \(problem)")
            Self.exit(withError: ExitCode.validationFailure)
        }
        if let repetition = OptionNames.repetition(in: arguments, of: self) {
            StandardError.write("warning: \(repetition)")
        }
        do {
            var command = try await asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exitProcess(with: error)
        }
    }

    /// Returns the help that arguments ask for, or `nil` if they ask for something else.
    private static func help(for arguments: [String]) -> String? {
        switch arguments {
        case [], ["help"], ["--help"], ["-h"]: return HelpText.overview
        case ["help", "all"], ["help", "--all"]: return HelpText.help(of: self, path: name)
        default: break
        }
        let isHelp = arguments.first == "help" || ["--help", "-h"].contains(arguments.last)
        let names = arguments.filter { !["help", "--help", "-h"].contains($0) }
        var (command, path) = (self as any ParsableCommand.Type, name)
        for argument in names {
            guard let subcommand = command.allSubcommands.first(where: { $0.names.contains(argument) }) else {
                return nil
            }
            (command, path) = (subcommand, "\(path) \(subcommand.name)")
        }
        return isHelp ? HelpText.helpWithDefault(of: command, path: path) : nil
    }

    /// Ends the process with an error, in one form for errors of parsing and all others.
    private static func exitProcess(with error: any Error) -> Never {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Another message is only a consequence of an option that is misspelled.
        if exitCode(for: error) == .validationFailure, let problem = OptionNames.problem(in: arguments, of: self) {
            StandardError.write("waypost: \(problem)")
            exit(withError: ExitCode.validationFailure)
        }
        let message = HelpText.withShortUsage(fullMessage(for: error))
        guard exitCode(for: error) == .validationFailure, let range = message.range(of: "Error: ") else {
            exit(withError: error)
        }
        StandardError.write(message.replacingCharacters(in: range, with: "waypost: "))
        exit(withError: ExitCode.validationFailure)
    }
}
