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
