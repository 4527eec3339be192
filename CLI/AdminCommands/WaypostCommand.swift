package import ArgumentParser
internal import WaypostSchema

/// The admin tool.
package struct WaypostCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "waypost",
        abstract: "Push notifications, scenes and shared links of Apple devices, on Linux, explained.",
        discussion: """
            Every decision can be asked for its reason. Filters read JSON Lines and answer each line with one line. \
            Exit status: 0 done, 1 the answer is no or an expectation failed, 2 input that cannot be used, 64 usage.
            """,
        subcommands: [
            DemoCommand.self, AppCommand.self, SendCommand.self, NotificationsCommand.self, FaultsCommand.self,
            KeysCommand.self,
            CertificateAuthorityCommand.self, PredicateCommand.self, ScenesCommand.self, LinksCommand.self,
            ReplayCommand.self, SearchCommand.self, AttributionCommand.self, ShelfCommand.self,
            SchemaCommand.self,
        ]
    )

    /// Creates the command; the argument parser fills it.
    package init() {}
}

/// Prints the JSON Schema: `waypost schema`.
struct SchemaCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of everything Waypost writes and reads in JSON.",
        discussion: "Each type is a definition of its own: '#/$defs/BatchItem' is one notification of a batch."
    )

    func perform() async throws {
        try StandardOutput.write(SchemaDocument.text)
    }
}
