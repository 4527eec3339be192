internal import ArgumentParser
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost device snapshot` command, which takes a snapshot of a device.
struct DeviceSnapshotCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Remember the state of a device under a name, for 'reset' and 'fork'."
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "The name of the snapshot.")
    var name: String

    func perform() async throws {
        try await device.withDevice { agent, device in try await agent.takeSnapshot(name, of: device) }
    }
}

/// The `waypost device reset` command, which resets a device.
struct DeviceResetCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Take a device back to the state of its file, or to a snapshot."
    )

    @OptionGroup var device: DeviceOptions

    @Option(help: ArgumentHelp("The snapshot (default: the device as it was described).", valueName: "snapshot"))
    var to: String?

    func perform() async throws {
        try await device.withDevice { agent, device in try await agent.reset(device, to: to) }
    }
}

/// The `waypost device fork` command, which copies a device.
struct DeviceForkCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "fork",
        abstract: "Copy a device, as it is now or at a snapshot, to a device with another name."
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "The name of the copy.")
    var name: String

    @Option(help: "The snapshot to start from (default: the present state).")
    var snapshot: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let copy = try await device.withDevice { agent, device in
            try await agent.fork(device, as: DeviceFork(name: name, snapshot: snapshot))
        }
        try output.write(copy) { "\($0.name) is a copy; it registers itself with the gateway" }
    }
}

/// The `waypost device restore-backup` command, which restores the backup of a device on another one.
struct DeviceRestoreBackupCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore-backup",
        abstract: "Restore the backup of a device on another one, which gets its apps and settings, and new tokens.",
        discussion: "The tokens of the device of the backup stay valid. It may be the same device."
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "The device of the backup.", completion: .devices)
    var source: String

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let restoration = try await device.withDevice { agent, device in
            guard try await agent.devices().contains(where: { $0.name == source }) else {
                throw CommandFailure.failed("the agent has no device '\(source)'; see 'waypost device list'")
            }
            return try await agent.restore(backup: try await agent.description(of: source), on: device)
        }
        try output.write(restoration) { $0.explanation }
    }
}

/// The `waypost device rotate-secret` command, which replaces the secret of a device.
struct DeviceRotateSecretCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-secret",
        abstract: "Replace the secret with which a device receives its notifications.",
        discussion: """
            The gateway then refuses the earlier secret. The device keeps its tokens, its stream and its inbox. \
            'waypost tokens rotate' replaces a token.
            """
    )

    @OptionGroup var device: DeviceOptions

    func perform() async throws {
        _ = try await device.withDevice { agent, device in try await agent.rotateSecret(of: device) }
    }
}
