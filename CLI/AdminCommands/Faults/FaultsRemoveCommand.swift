internal import ArgumentParser
internal import GatewayClient
internal import WaypostSchema

/// Removes faults: `waypost faults remove`.
struct FaultsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a fault, or all of a namespace.",
        discussion: "Exits 1 where no such fault waits; those that were used up are gone."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Faults") var namespace: NamespaceOptions

    @Argument(help: "The fault's identifier.")
    var id: String?

    @Flag(help: "Remove all faults of the namespace.")
    var all = false

    func validate() throws {
        guard (id == nil) == all, id?.isEmpty != true else { throw ValidationError("either an identifier or --all") }
    }

    func run() async throws {
        try await reportingFailures {
            try await gateway.calling { client in
                try await client.removeFault(id.map(FaultID.init(rawValue:)), in: namespace.chosen)
            }
        }
    }
}
