internal import ArgumentParser
internal import GatewayClient
internal import PushRules
internal import TextReports
internal import WaypostSchema

/// The `waypost tokens` commands, which manage the registrations at a gateway.
struct TokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Register devices with a gateway, and change their tokens and registrations.",
        discussion: """
            A device has one token for all its topics, or one for each purpose: the app, calls, each Live Activity. \
            'waypost device' is for the device of an agent: what its screen shows, and why.
            """,
        subcommands: [
            TokensCreateCommand.self, TokensListCommand.self, TokensShowCommand.self, TokensTopicsCommand.self,
            TokensPowerCommand.self, TokensStandingCommand.self,
            TokensRotateCommand.self, TokensUnregisterCommand.self,
        ],
        aliases: ["devices"]
    )
}

/// An argument that names a registered device.
struct RegisteredDeviceArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The token or the start of it, or the name of its device; Phone/voip is the one for calls.",
            valueName: "device"
        ),
        completion: .registeredDevices
    )
    var nameOrToken: String
}

extension RegisteredDevice {
    /// The properties of the device as a table.
    var details: TextTable {
        let rows = [
            ["name", name], ["topics", topics.map(\.rawValue).joined(separator: ", ")],
            ["standing", "\(standing.rawValue), since \(since.textWithMilliseconds)"],
            ["environment", environment?.rawValue ?? "any"],
            ["purpose", purpose?.title ?? "all topics of the device"],
            ["power", powerConstrained ? "low: notifications of priority 5 and 1 wait" : "normal"],
        ]
        return TextTable(header: ["Device", token.rawValue], rows: rows)
    }
}

/// The `waypost tokens list` command, which lists registered devices.
struct TokensListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the registered devices of a namespace, in the order of their tokens."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Option(help: "Only devices that accept notifications for this app.", completion: .topics)
    var topic: String?

    @Flag(help: "Only devices that are connected.")
    var connected = false

    @Flag(help: "Devices whose tokens are not active, too.")
    var all = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        var (writer, hiddenCount) = (output.writer(table: Self.table), 0)
        try await gateway.withClient { client in
            var next: DeviceToken?
            repeat {
                let page = try await client.devices(after: next)
                for listedDevice in page.devices where isSelected(listedDevice) {
                    if all || listedDevice.device.standing == .active {
                        try writer.write(listedDevice)
                    } else {
                        hiddenCount += 1
                    }
                }
                next = page.next
            } while next != nil
        }
        try writer.finish()
        if hiddenCount > 0, !output.quiet {
            let devices = hiddenCount == 1 ? "1 device whose token is" : "\(hiddenCount) devices whose tokens are"
            StandardError.write("\(devices) not active: not shown; --all shows all")
        }
    }

    private func isSelected(_ listedDevice: ListedDevice) -> Bool {
        (topic.map { listedDevice.device.topics.contains(Topic(rawValue: $0)) } ?? true)
            && (!connected || listedDevice.connected)
    }

    static func table(_ devices: [ListedDevice]) -> any TextPresentable {
        guard !devices.isEmpty else { return "There are no such devices; 'waypost tokens create' registers one." }
        let rows = devices.map { listedDevice -> [String] in
            let device = listedDevice.device
            return [
                device.name, device.purpose?.cell ?? "", device.token.rawValue,
                listedDevice.connected ? "connected" : "–", "\(listedDevice.stored)",
                device.standing == .active ? "" : device.standing.rawValue, device.environment?.rawValue ?? "",
                device.powerConstrained ? "low" : "",
                device.topics.map(\.rawValue).joined(separator: ", "),
            ]
        }
        return TextTable(
            header: ["Name", "Purpose", "Token", "Stream", "In inbox", "Standing", "Environment", "Power", "Topics"],
            rows: rows
        ) { column, text in column == 3 && text == "connected" ? .green : column == 5 ? .yellow : nil }
    }
}

extension TokenPurpose {
    /// The purpose in a table, whose topics name the app.
    fileprivate var cell: String {
        ([kind.rawValue] + (name.map { [$0] } ?? [])).joined(separator: "/")
    }
}

/// The `waypost tokens show` command, which shows a registration.
struct TokensShowCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the registration of a device.",
        discussion: "Exits with 1 if the gateway does not know the token."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup var device: RegisteredDeviceArgument

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let registration = try await gateway.withClient { client in
            try await client.device(try await client.token(named: device.nameOrToken))
        }
        try output.write(registration, text: \.details)
    }
}

/// The `waypost tokens topics` command, which sets the topics of a device.
struct TokensTopicsCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "topics",
        abstract: "Set the topics for which a device accepts notifications: its apps.",
        discussion: """
            Notifications for other topics are rejected with DeviceTokenNotForTopic. Notifications that wait for a \
            topic that is removed end as unregistered.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup var device: RegisteredDeviceArgument

    @Argument(help: "All topics of the device: bundle identifiers, with suffixes such as .voip.")
    var topics: [String]

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let registration = try await gateway.withClient { client in
            try await client.setTopics(
                topics.map(Topic.init(rawValue:)),
                of: try await client.token(named: device.nameOrToken)
            )
        }
        try output.write(registration, text: \.details)
    }
}

/// The `waypost tokens power` command, which says whether a device's power is low.
struct TokensPowerCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "power",
        abstract: "Say whether a device's power is low, so that notifications of priority 5 and 1 wait."
    )

    enum Power: String, CaseIterable, Sendable {
        case normal
        case low
    }

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup var device: RegisteredDeviceArgument

    @Argument(help: "The power.")
    var power: NameArgument<Power>

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let registration = try await gateway.withClient { client in
            try await client.setPower(
                DevicePower(constrained: power.value == .low),
                of: try await client.token(named: device.nameOrToken)
            )
        }
        try output.write(registration, text: \.details)
    }
}

/// The `waypost tokens standing` command, which sets the standing of a token.
struct TokensStandingCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "standing",
        abstract: "Make a token expired, unregistered or wrong, to test how a provider handles that.",
        discussion: """
            Requests get 410 Unregistered, 410 ExpiredToken or 400 BadDeviceToken as from APNs. 'active' makes \
            the token valid again. If a token is unregistered at a time in the future, notifications are accepted and \
            dropped until then, as those for an app whose deletion APNs does not know of yet.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup var device: RegisteredDeviceArgument

    @Argument(help: "The standing, which decides how the gateway answers a provider.")
    var standing: NameArgument<TokenStanding>

    @Option(
        help: ArgumentHelp("The time from which it holds (default: now).", valueName: "time"),
        transform: Timestamp.init(argument:)
    )
    var since: Timestamp?

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let registration = try await gateway.withClient { client in
            try await client.setStanding(
                TokenStandingChange(standing: standing.value, since: since),
                of: try await client.token(named: device.nameOrToken)
            )
        }
        try output.write(registration, text: \.details)
    }
}

/// The `waypost tokens rotate` command, which replaces a token.
struct TokensRotateCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Replace the token of a device, as a restored or updated device does.",
        discussion: "The device keeps its name, its topics and its inbox. The old token is unregistered."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup var device: RegisteredDeviceArgument

    @Option(help: ArgumentHelp("The new token (default: a generated one).", valueName: "token"))
    var to: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let registration = try await gateway.withClient { client in
            try await client.rotate(
                try await client.token(named: device.nameOrToken),
                with: TokenRotation(token: to.map(DeviceToken.init(rawValue:)))
            )
        }
        try output.write(registration, text: \.details)
    }
}

/// The `waypost tokens unregister` command, which unregisters devices.
struct TokensUnregisterCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "unregister",
        abstract: "Unregister devices: notifications for their tokens get 410 Unregistered from now on.",
        discussion: "Exits with 1 if the gateway does not know a token; those before it are unregistered then."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(help: "The devices: tokens or the starts of them, or names.", completion: .registeredDevices)
    var devices: [String]

    func perform() async throws {
        try await gateway.withClient { client in
            for device in devices { try await client.unregister(try await client.token(named: device)) }
        }
    }
}
