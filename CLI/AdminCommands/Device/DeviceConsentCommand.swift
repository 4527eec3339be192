internal import ArgumentParser
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost device consent` command, which shows and sets what Shared with You may share.
struct DeviceConsentCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent",
        abstract: "Show what is shared, or turn sharing on or off: on the device, for an app, or in a conversation.",
        discussion: """
            Sharing lets links reach an app that have permission: a pin, or automatic sharing with the app, which \
            --automatic turns on or off for later links. Without on or off, it shows the choices. \
            'waypost device offers' answers the offer of automatic sharing.
            """
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "On or off (default: show the choices).")
    var choice: NameArgument<OnOff>?

    @Option(help: "For this app (default: on the whole device).", completion: .apps)
    var app: String?

    @Option(help: "In this conversation.")
    var conversation: String?

    @Flag(help: "With --app: automatic sharing, which permits the links that nobody pinned.")
    var automatic = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard app == nil || conversation == nil else { throw ValidationError("give one of --app and --conversation") }
        guard !automatic || app != nil else { throw ValidationError("--automatic needs --app") }
        guard choice != nil || app == nil && conversation == nil else {
            throw ValidationError("say 'on' or 'off'; without either, it shows all choices and takes no options")
        }
    }

    func perform() async throws {
        guard let choice else { return try await show() }
        try await device.checkApps(app.map { [$0] } ?? [])
        if let conversation { try await device.checkConversation(conversation) }
        try await device.apply(.sharing(event(isOn: choice.value == .on)), writingTo: output)
    }

    private func event(isOn: Bool) -> SharingEvent {
        guard automatic else { return .sharingSet(scope, isOn: isOn) }
        return .automaticSharingSet(BundleIdentifier(rawValue: app ?? ""), isOn: isOn)
    }

    private var scope: SharingScope {
        if let app { return .app(BundleIdentifier(rawValue: app)) }
        if let conversation { return .conversation(ConversationID(rawValue: conversation)) }
        return .everywhere
    }

    // MARK: The choices

    private func show() async throws {
        let (settings, apps, conversations) = try await device.withDevice { agent, device in
            let settings = try await agent.sharingSettings(of: device)
            let apps = try await agent.appDescriptions(on: device).map(\.bundleIdentifier)
            let conversations = try await agent.conversations(on: device).map(\.id)
            return (settings, apps, conversations)
        }
        try output.write(settings) { settings in
            let everywhere = ["everywhere", Self.state(of: .everywhere, in: settings), "", ""]
            let appRows = apps.map { app in
                [
                    app.rawValue, Self.state(of: .app(app), in: settings),
                    settings.automatic.contains(app) ? "on" : "off",
                    settings.offers?.first { $0.app == app }?.explanation ?? "",
                ]
            }
            let conversationRows = conversations.map { conversation in
                [conversation.rawValue, Self.state(of: .conversation(conversation), in: settings), "", ""]
            }
            return TextTable(
                header: ["Scope", "Sharing", "Automatic", "Offer"],
                rows: [everywhere] + appRows + conversationRows
            )
        }
    }

    private static func state(of scope: SharingScope, in settings: SharingSettings) -> String {
        settings.off.contains(scope) ? "off" : "on"
    }
}

/// The `waypost device offers` command, which shows, draws and answers the offers of automatic sharing.
struct DeviceOffersCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "offers",
        abstract: "Show for each app whether automatic sharing is offered, and why; draw or answer the offer."
    )

    @OptionGroup var device: DeviceOptions

    @Option(help: "Only this app.", completion: .apps)
    var app: String?

    @Option(help: "With --app: answer the open offer: accepted, declined or ignored.")
    var answer: NameArgument<OfferAnswer>?

    @Flag(help: "With --app: draw the open offer as SVG.")
    var svg = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard app != nil || answer == nil else { throw ValidationError("--answer needs --app") }
        guard app != nil || !svg else { throw ValidationError("--svg needs --app") }
        guard answer == nil || !svg else { throw ValidationError("give one of --answer and --svg") }
    }

    func perform() async throws {
        try await device.checkApps(app.map { [$0] } ?? [])
        let bundleIdentifier = app.map(BundleIdentifier.init(rawValue:))
        if let bundleIdentifier, let answer {
            let event = SharingEvent.automaticSharingOfferAnswered(bundleIdentifier, answer.value)
            return try await device.apply(.sharing(event), writingTo: output)
        }
        if let bundleIdentifier, svg {
            let picture = try await device.withDevice { agent, device in
                try await agent.offerPicture(of: bundleIdentifier, on: device)
            }
            return try StandardOutput.write(picture)
        }
        let offers = try await device.withDevice { agent, device in
            try await agent.sharingSettings(of: device).offers ?? []
        }
        .filter { bundleIdentifier == nil || $0.app == bundleIdentifier }
        try output.write(offers) { offers in
            guard !offers.isEmpty else {
                let subject = app.map { "\($0) does not take" } ?? "No app takes"
                return "\(subject) part in Shared with You."
            }
            let rows = offers.map { [$0.app.rawValue, $0.isOffered ? "open" : "", $0.explanation] }
            return TextTable(header: ["App", "Offer", "Why"], rows: rows)
        }
    }
}
