internal import ArgumentParser
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost device` commands, which drive a device of an agent.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Drive a device of an agent, see what its screen shows, and ask why.",
        discussion: """
            'waypost tokens' is for registrations at a gateway. The agent is the one in --agent, in --ready-file, in \
            the environment (WAYPOST_AGENT), or in the context.
            """,
        subcommands: [
            DeviceListCommand.self, DeviceAppsCommand.self, DeviceScenesCommand.self, DeviceNotificationsCommand.self,
            DeviceOpenCommand.self,
            DeviceEventsCommand.self, DeviceEventCommand.self, DeviceShelfCommand.self, DeviceAttributionCommand.self,
            DeviceMenuCommand.self, DeviceExplainCommand.self,
            DeviceExplainNotificationCommand.self, DeviceNotificationCenterCommand.self, DeviceActionCommand.self,
            DeviceLiveActivitiesCommand.self, DeviceTokensCommand.self, DeviceDrawCommand.self,
            DeviceSearchCommand.self, DeviceContactsCommand.self, DeviceMessagesCommand.self,
            DeviceReceiveMessageCommand.self, DeviceSaveContactCommand.self, DevicePinCommand.self,
            DeviceConsentCommand.self, DeviceOffersCommand.self, DeviceFocusCommand.self, DeviceLockCommand.self,
            DeviceHomeCommand.self, DeviceAirplaneCommand.self, DeviceSettingCommand.self, DeviceSnapshotCommand.self,
            DeviceResetCommand.self, DeviceForkCommand.self, DeviceRestoreBackupCommand.self,
            DeviceRotateSecretCommand.self,
        ]
    )
}

/// The `waypost device list` command, which lists the devices of an agent.
struct DeviceListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the devices of an agent.")

    @OptionGroup(title: "Agent") var agent: AgentOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let devices = try await agent.withClient { client in try await client.devices() }
        try output.write(devices) { devices in
            guard !devices.isEmpty else { return "The agent has no devices." }
            let rows = devices.map { device in
                [
                    device.name,
                    device.isInAirplaneMode == true ? "Airplane Mode" : device.isConnected ? "connected" : "",
                    "\(device.notifications)", device.token?.rawValue ?? "not registered yet",
                ]
            }
            return TextTable(header: ["Device", "Stream", "Notifications", "Token"], rows: rows) { _, text in
                text == "connected" ? .green : nil
            }
        }
    }
}

/// The `waypost device scenes` command, which shows the apps and scenes on a device.
struct DeviceScenesCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenes",
        abstract: "Show the apps on a device, and the scenes of each with their states and conditions."
    )

    @OptionGroup var device: DeviceOptions

    @Option(help: "Only this app.", completion: .apps)
    var app: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        try await device.checkApps(app.map { [$0] } ?? [])
        let apps = try await device.withDevice { agent, device in try await agent.appDescriptions(on: device) }
            .filter { app == nil || $0.bundleIdentifier.rawValue == app }
        try output.write(apps) { apps in
            let rows = apps.flatMap { app in
                app.scenes.map { scene in
                    [
                        app.bundleIdentifier.rawValue, scene.persistentIdentifier.rawValue, scene.title ?? "",
                        scene.state.rawValue, scene.activationConditions.prefersText,
                        scene.activationConditions.canText,
                    ]
                }
            }
            guard !rows.isEmpty else { return "There are no scenes." }
            return TextTable(header: ["App", "Scene", "Title", "State", "Prefers", "Can activate"], rows: rows)
        }
    }
}

/// The `waypost device notifications` command, which shows the notifications on a device.
struct DeviceNotificationsCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "Show the notifications on a device, in the order of their arrival."
    )

    @OptionGroup var device: DeviceOptions

    @Option(
        help: ArgumentHelp("Only notifications of this trace: its identifier, or a traceparent.", valueName: "id"),
        transform: TraceID.init(argument:)
    )
    var trace: TraceID?

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let notifications = try await device.withDevice { agent, device in
            try await agent.notifications(of: device).filter { trace == nil || $0.traceparent?.traceID == trace }
        }
        try output.write(notifications) { notifications in
            guard !notifications.isEmpty else { return "There are no notifications." }
            let rows = notifications.map { notification in
                [
                    notification.receivedAt.shortText, notification.id.rawValue,
                    notification.topic.rawValue, notification.title ?? "",
                    notification.targetContentIdentifier?.rawValue ?? "", notification.openedAt == nil ? "" : "opened",
                    notification.presentation?.rawValue ?? "",
                ]
            }
            return TextTable(
                header: ["Received", "Identifier", "App", "Title", "Content", "State", "Shown"],
                rows: rows,
                untruncatedColumns: [0, 1],
                droppableColumns: [4, 2]
            )
        }
    }
}

/// The `waypost device events` command, which follows what happens on a device.
struct DeviceEventsCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Print what happens on a device, as it happens, until interrupted."
    )

    @OptionGroup var device: DeviceOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let (device, format) = (device, output.resolvedFormat)
        do {
            try await InterruptibleRun.run {
                try await device.withDevice { agent, name in
                    try await agent.follow(name) { effect in
                        let line =
                            format == .table ? effect.text.text(in: .standardOutput) : try JSONOutput.line(effect)
                        try StandardOutput.write(line + "\n")
                    }
                }
            }
        } catch is CancellationError {
            // The user interrupted the command, which is not an error.
        }
    }
}
