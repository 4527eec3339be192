internal import ArgumentParser
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost devices` commands, which manage the registrations at a gateway.
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Register devices with a gateway, and change their registrations.",
        discussion: "'waypost device' is for the device of an agent: what its screen shows, and why.",
        subcommands: [
            DevicesCreateCommand.self, DevicesListCommand.self, DevicesShowCommand.self, DevicesTopicsCommand.self,
            DevicesPowerCommand.self,
            DevicesStandingCommand.self, DevicesRotateCommand.self, DevicesUnregisterCommand.self,
        ]
    )
}

/// The token of a registered device, as an argument.
struct TokenArgument: ParsableArguments {
    @Argument(help: "The token of the device.")
    var token: String

    /// The token.
    var value: DeviceToken {
        DeviceToken(rawValue: token)
    }
}

extension RegisteredDevice {
    /// The properties of the device as a table.
    var details: TextTable {
        let rows = [
            ["name", name], ["topics", topics.map(\.rawValue).joined(separator: ", ")],
            ["standing", "\(standing.rawValue), since \(since.textWithMilliseconds)"],
            ["power", powerConstrained ? "low: notifications of priority 5 and 1 wait" : "normal"],
        ]
        return TextTable(header: ["Device", token.rawValue], rows: rows)
    }
}

/// The `waypost devices list` command, which lists registered devices.
struct DevicesListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the registered devices of a namespace, in the order of their tokens."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Option(help: "Only devices that accept notifications for this app.")
    var topic: String?

    @Flag(help: "Only devices that are connected.")
    var connected = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        var writer = output.writer(table: Self.table)
        try await gateway.calling { client in
            var next: DeviceToken?
            repeat {
                let page = try await client.devices(after: next)
                for device in page.devices where isListed(device) { try writer.write(device) }
                next = page.next
            } while next != nil
        }
        try writer.finish()
    }

    private func isListed(_ listed: ListedDevice) -> Bool {
        (topic.map { listed.device.topics.contains(Topic(rawValue: $0)) } ?? true) && (!connected || listed.connected)
    }

    private static func table(_ devices: [ListedDevice]) -> any TextPresentable {
        guard !devices.isEmpty else { return "There are no such devices; 'waypost devices create' registers one." }
        let rows = devices.map { listed in
            let device = listed.device
            return [
                device.name, device.token.rawValue, listed.connected ? "connected" : "", "\(listed.stored)",
                device.standing == .active ? "" : device.standing.rawValue, device.powerConstrained ? "low" : "",
                device.topics.map(\.rawValue).joined(separator: ", "),
            ]
        }
        return TextTable(
            header: ["Name", "Token", "Stream", "In inbox", "Standing", "Power", "Topics"],
            rows: rows
        ) { column, _ in column == 2 ? .green : column == 4 ? .yellow : nil }
    }
}

/// The `waypost devices show` command, which shows a registration.
struct DevicesShowCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the registration of a device.",
        discussion: "Exits with 1 if the gateway does not know the token."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup var token: TokenArgument

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let device = try await gateway.calling { client in try await client.device(token.value) }
        try output.write(device, text: \.details)
    }
}

/// The `waypost devices topics` command, which sets the topics of a device.
struct DevicesTopicsCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "topics",
        abstract: "Set the topics for which a device accepts notifications: its apps.",
        discussion: """
            Notifications for other topics are rejected with DeviceTokenNotForTopic. Notifications that wait for a \
            topic that is removed end as unregistered.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup var token: TokenArgument

    @Argument(help: "All topics of the device: bundle identifiers, with suffixes such as .voip.")
    var topics: [String]

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let device = try await gateway.calling { client in
            try await client.setTopics(topics.map(Topic.init(rawValue:)), of: token.value)
        }
        try output.write(device, text: \.details)
    }
}

/// The `waypost devices power` command, which says whether a device's power is low.
struct DevicesPowerCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "power",
        abstract: "Say whether a device's power is low, so that notifications of priority 5 and 1 wait."
    )

    enum Power: String, CaseIterable, Sendable {
        case normal
        case low
    }

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup var token: TokenArgument

    @Argument(help: "The power.")
    var power: NameArgument<Power>

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let device = try await gateway.calling { client in
            try await client.setPower(DevicePower(constrained: power.value == .low), of: token.value)
        }
        try output.write(device, text: \.details)
    }
}

/// The `waypost devices standing` command, which sets the standing of a token.
struct DevicesStandingCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "standing",
        abstract: "Make a token expired, unregistered or wrong, to test how a provider handles that.",
        discussion: """
            Requests get 410 Unregistered, 410 ExpiredToken or 400 BadDeviceToken as from APNs. 'active' makes \
            the token valid again.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup var token: TokenArgument

    @Argument(help: "The standing.")
    var standing: NameArgument<TokenStanding>

    @Option(
        help: ArgumentHelp("The time since then (default: now).", valueName: "time"),
        transform: Timestamp.init(argument:)
    )
    var since: Timestamp?

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let device = try await gateway.calling { client in
            try await client.setStanding(TokenStandingChange(standing: standing.value, since: since), of: token.value)
        }
        try output.write(device, text: \.details)
    }
}

/// The `waypost devices rotate` command, which replaces a token.
struct DevicesRotateCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Replace the token of a device, as a restored or updated device does.",
        discussion: "The device keeps its name, its topics and its inbox. The old token is unregistered."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup var token: TokenArgument

    @Option(help: ArgumentHelp("The new token (default: a generated one).", valueName: "token"))
    var to: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let device = try await gateway.calling { client in
            try await client.rotate(token.value, TokenRotation(token: to.map(DeviceToken.init(rawValue:))))
        }
        try output.write(device, text: \.details)
    }
}

/// The `waypost devices unregister` command, which unregisters devices.
struct DevicesUnregisterCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "unregister",
        abstract: "Unregister devices: notifications for their tokens get 410 Unregistered from now on.",
        discussion: "Exits with 1 if the gateway does not know a token; those before it are unregistered then."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(help: "The tokens.")
    var tokens: [String]

    func perform() async throws {
        try await gateway.calling { client in
            for token in tokens { try await client.unregister(DeviceToken(rawValue: token)) }
        }
    }
}
