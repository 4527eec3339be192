internal import ArgumentParser
internal import GatewayClient
internal import WaypostSchema

/// Which notifications of the delivery log.
struct NotificationSelectionOptions: ParsableArguments {
    @Option(help: "Only those sent to this token, or for the device that has it now.")
    var token: String?

    @Option(help: "Only those for this app.")
    var topic: String?

    @Option(help: ArgumentHelp("Only those in this state now; may be repeated.", valueName: "state"))
    var state: [NameArgument<DeliveryState>] = []

    @Option(
        help: ArgumentHelp(
            "Only those that came since then: 90s, 10m, 2h or 1d before now, or milliseconds since 1970.",
            valueName: "time"
        )
    )
    var since: String?

    @Option(help: ArgumentHelp("Only those with a greater sequence.", valueName: "sequence"))
    var after: Int?

    @OptionGroup var namespace: NamespaceOptions

    /// The same for the gateway.
    var filter: NotificationFilter {
        var filter = NotificationFilter()
        filter.namespace = namespace.chosen
        filter.token = token.map(DeviceToken.init(rawValue:))
        filter.topic = topic.map(Topic.init(rawValue:))
        filter.states = state.map(\.value)
        filter.since = since
        filter.after = after
        return filter
    }
}

/// The namespace of a gateway.
struct NamespaceOptions: ParsableArguments {
    @Option(help: "The namespace (default: default).")
    var namespace: String?

    /// The namespace that was named.
    var chosen: Namespace? {
        namespace.map(Namespace.init(rawValue:))
    }

    func validate() throws {
        guard let chosen, !chosen.isWellFormed else { return }
        throw ValidationError(
            "'\(chosen)' is no namespace: 1 to 64 of A-Z, a-z, 0-9, '.', '-' and '_', the first not '.'"
        )
    }
}

extension GatewayOptions {
    /// Calls a gateway; what it says is input that cannot be used, but for a notification that it does not know, and who does
    /// not answer is an answer that is no.
    func calling<Value>(_ work: (GatewayClient) async throws -> Value) async throws -> Value {
        do {
            return try await withClient(work)
        } catch let error as CallError {
            switch error {
            case .refused(let status, _) where status != 404 && status < 500: throw CommandFailure.unusable("\(error)")
            case .cancelled: throw CancellationError()
            case .refused, .unreachable, .unexpectedAnswer: throw CommandFailure.no("\(error)")
            }
        }
    }
}
