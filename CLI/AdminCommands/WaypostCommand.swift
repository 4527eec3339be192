package import ArgumentParser

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
