internal import ArgumentParser
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost storage` commands, which manage how a gateway stores notifications for apps.
struct StorageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storage",
        abstract: "Show and choose how a gateway stores notifications for the devices of an app.",
        discussion: """
            lossless  keeps each notification until it has ended
            apns      keeps the newest one for a device that is offline, as APNs
            """,
        subcommands: [StorageListCommand.self, StorageShowCommand.self, StorageSetCommand.self]
    )

    /// Returns apps as a table.
    static func table(_ apps: [AppSettings]) -> any TextPresentable {
        guard !apps.isEmpty else { return "No app has a storage mode of its own; all are lossless." }
        return TextTable(header: ["App", "Storage"], rows: apps.map { [$0.topic.rawValue, $0.storage.rawValue] })
    }
}

/// The `waypost storage list` command, which lists the apps with settings.
struct StorageListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the apps whose storage mode was set."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let apps = try await gateway.withClient { client in try await client.apps() }
        try output.write(apps, table: StorageCommand.table)
    }
}

/// The `waypost storage show` command, which shows the settings of an app.
struct StorageShowCommand: ReportingCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the storage mode of an app.")

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(help: "The app's bundle identifier.", completion: .topics)
    var app: String

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let settings = try await gateway.withClient { client in try await client.app(Topic(rawValue: app)) }
        try output.write(settings) { StorageCommand.table([$0]) }
    }
}

/// The `waypost storage set` command, which sets the storage mode of an app.
struct StorageSetCommand: ReportingCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Set the storage mode of an app.")

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(help: "The app's bundle identifier.", completion: .topics)
    var app: String

    @Argument(help: "The storage mode.")
    var mode: NameArgument<StorageMode>

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let settings = try await gateway.withClient { client in
            try await client.setStorage(mode.value, of: Topic(rawValue: app))
        }
        try output.write(settings) { StorageCommand.table([$0]) }
    }
}
