internal import ArgumentParser
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost namespaces` commands, which list and reset namespaces.
struct NamespacesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "namespaces",
        abstract: "List the namespaces of a gateway, and delete what is in one.",
        subcommands: [NamespacesListCommand.self, NamespacesResetCommand.self]
    )
}

/// The `waypost namespaces list` command, which lists namespaces.
struct NamespacesListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the namespaces that have something, with their devices and the notifications in inboxes."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let namespaces = try await gateway.withClient { client in try await client.namespaces() }
        try output.write(namespaces) { namespaces in
            guard !namespaces.isEmpty else { return "There are no namespaces." }
            let rows = namespaces.map { namespace in
                [
                    namespace.name.rawValue, "\(namespace.devices)", "\(namespace.stored)",
                    namespace.oldest?.textWithMilliseconds ?? "",
                ]
            }
            return TextTable(header: ["Namespace", "Devices", "In inboxes", "Oldest"], rows: rows)
        }
    }
}

/// The `waypost namespaces reset` command, which deletes everything in a namespace.
struct NamespacesResetCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Delete everything in a namespace: devices, notifications, batches, keys, faults and its clock.",
        discussion: "The standard namespace, 'default', is deleted only with --yes."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(help: "The name of the namespace.")
    var name: String

    @Flag(help: "Delete the standard namespace, too.")
    var yes = false

    func validate() throws {
        if let error = Namespace.error(in: name) { throw ValidationError(error) }
        guard yes || Namespace(rawValue: name) != .standard else {
            throw ValidationError("'\(name)' is the standard namespace, which has all that names no other; add --yes")
        }
    }

    func perform() async throws {
        try await gateway.withClient { client in try await client.reset(Namespace(rawValue: name)) }
    }
}
