package import ArgumentParser
internal import WaypostSchema

/// The `waypost` command, which contains all others.
package struct WaypostCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "waypost",
        abstract: "Test and explain push notifications, scenes and shared links of Apple devices on Linux.",
        discussion: """
            Every decision can be explained. Filters read JSON Lines, and answer each line with one line. Exit status: \
            0 success, 1 the answer is no or an expectation failed, 2 the input cannot be used, 64 wrong usage.
            """,
        subcommands: [
            DemoCommand.self, ScenarioCommand.self, AppCommand.self, SendCommand.self, NotificationsCommand.self,
            FleetCommand.self, LoadCommand.self, FaultsCommand.self, KeysCommand.self,
            CertificateAuthorityCommand.self, PredicateCommand.self, ScenesCommand.self, LinksCommand.self,
            ReplayCommand.self, SearchCommand.self, AttributionCommand.self, ShelfCommand.self,
            SchemaCommand.self,
        ]
    )

    /// Creates the command; the argument parser sets its properties.
    package init() {}
}

/// The `waypost schema` command, which prints the JSON Schema.
struct SchemaCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of everything that Waypost reads and writes in JSON.",
        discussion: "Each type is a separate definition: '#/$defs/BatchItem' is one notification of a batch."
    )

    func perform() async throws {
        try StandardOutput.write(SchemaDocument.text)
    }
}
