internal import ArgumentParser
internal import AsyncHTTPClient
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost channels` commands, which manage broadcast channels.
struct ChannelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channels",
        abstract: "Manage the broadcast channels of an app, and send to the devices that are subscribed.",
        discussion: """
            Broadcast channels are for Live Activities. The commands call the gateway's provider listener, as a provider \
            calls APNs; the gateway must not require provider tokens.
            """,
        subcommands: [
            ChannelsListCommand.self, ChannelsCreateCommand.self, ChannelsShowCommand.self,
            ChannelsSubscribeCommand.self, ChannelsSendCommand.self, ChannelsDeleteCommand.self,
        ]
    )
}

/// The options that locate a gateway with its provider listener, and an app.
struct ChannelOptions: ParsableArguments {
    /// The URL of the provider listener if no setting names another.
    static let defaultURL = "http://127.0.0.1:7333"

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Option(
        help: ArgumentHelp(
            "The base URL of the provider listener (default: that in the ready file, or else \(defaultURL)).",
            valueName: "url"
        )
    )
    var provider: String?

    @Argument(help: "The app's bundle identifier.")
    var app: String

    /// The app.
    var topic: Topic {
        Topic(rawValue: app)
    }

    /// Calls `work` with a client of the provider listener, and reports a refused request as unusable input.
    ///
    /// - Throws: as `GatewayOptions.withClient`.
    func withClient<Value>(_ work: (ChannelClient) async throws -> Value) async throws -> Value {
        let url = try provider ?? gateway.location().provider ?? Self.defaultURL
        if let error = ListenerURL.error(in: url) { throw CommandFailure.unusable(error) }
        let hint = "give the URL of the provider listener with --provider"
        return try await CommandFailure.reportingRefusalAsUnusableInput {
            try await CommandFailure.withConnectionHint(hint, listener: "the provider listener of a gateway") {
                try await HTTPClient.withHTTPClient(configuration: .waypost) { http in
                    try await work(ChannelClient(http, provider: url, log: gateway.call.log))
                }
            }
        }
    }
}

/// A channel in the output of commands.
struct ListedChannel: Encodable {
    /// The identifier.
    let channel: ChannelID

    /// Its configuration, if the command requested it.
    var configuration: ChannelClient.Configuration?

    /// Returns channels as a table.
    static func table(_ channels: [Self]) -> any TextPresentable {
        guard !channels.isEmpty else { return "The app has no channels." }
        let rows = channels.map { channel in
            [
                channel.channel.rawValue,
                channel.configuration.map { $0.storage == .none ? "nothing" : "the newest" } ?? "",
            ]
        }
        return TextTable(header: ["Channel", "Keeps"], rows: rows, untruncatedColumns: [0])
    }
}

/// The `waypost channels list` command, which lists the channels of an app.
struct ChannelsListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the channels of an app.")

    @OptionGroup var options: ChannelOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let channels = try await options.withClient { client in
            var channels: [ListedChannel] = []
            for channel in try await client.channels(of: options.topic) {
                let configuration = try await client.configuration(of: channel, of: options.topic)
                channels.append(ListedChannel(channel: channel, configuration: configuration))
            }
            return channels
        }
        try output.write(channels, table: ListedChannel.table)
    }
}

/// The `waypost channels create` command, which creates a channel.
struct ChannelsCreateCommand: ReportingCommand {
    static let configuration = CommandConfiguration(commandName: "create", abstract: "Create a channel of an app.")

    /// The names of the storage policies.
    enum StoragePolicyName: String, CaseIterable, Sendable {
        case nothing
        case newest
    }

    @OptionGroup var options: ChannelOptions

    @Option(help: "What is kept of the messages for devices that are not connected.")
    var keep = NameArgument(StoragePolicyName.nothing)

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let configuration = ChannelClient.Configuration(keep.value == .newest ? .newest : .none)
        let channel = try await options.withClient { try await $0.create(configuration, of: options.topic) }
        try output.write(ListedChannel(channel: channel, configuration: configuration)) { ListedChannel.table([$0]) }
    }
}

/// The `waypost channels show` command, which shows a channel.
struct ChannelsShowCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the configuration of a channel."
    )

    @OptionGroup var options: ChannelOptions

    @Argument(help: "The channel.")
    var channel: String

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let id = ChannelID(rawValue: channel)
        let configuration = try await options.withClient { try await $0.configuration(of: id, of: options.topic) }
        try output.write(ListedChannel(channel: id, configuration: configuration)) { ListedChannel.table([$0]) }
    }
}

/// The `waypost channels subscribe` command, which subscribes a device.
struct ChannelsSubscribeCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscribe",
        abstract: "Subscribe a device to channels, and to no others.",
        discussion: "Without channels, the device is subscribed to none."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup var device: RegisteredDeviceArgument

    @Argument(help: "The channels.")
    var channels: [String] = []

    func perform() async throws {
        try await gateway.withClient { client in
            let token = try await client.token(named: device.nameOrToken)
            try await client.setChannels(channels.map(ChannelID.init(rawValue:)), of: token)
        }
    }
}

/// The `waypost channels send` command, which sends to a channel.
struct ChannelsSendCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a payload to the devices that are subscribed to a channel."
    )

    @OptionGroup var options: ChannelOptions

    @Argument(help: "The channel.")
    var channel: String

    @Argument(help: "The file of the payload; '-' or no file: standard input.", completion: .file())
    var file: String = "-"

    func perform() async throws {
        let payload = try InputFile(path: file).readToEnd()
        let message = try await options.withClient {
            try await $0.send(payload, to: ChannelID(rawValue: channel), of: options.topic)
        }
        if let message { StandardError.write(message) }
    }
}

/// The `waypost channels delete` command, which deletes a channel.
struct ChannelsDeleteCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a channel, with its subscriptions."
    )

    @OptionGroup var options: ChannelOptions

    @Argument(help: "The channel.")
    var channel: String

    func perform() async throws {
        try await options.withClient { try await $0.delete(ChannelID(rawValue: channel), of: options.topic) }
    }
}
