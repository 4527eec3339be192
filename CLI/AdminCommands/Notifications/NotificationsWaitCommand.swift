internal import ArgumentParser
internal import GatewayClient
internal import WaypostSchema

/// Waits until something became of a notification: `waypost notifications wait`.
struct NotificationsWaitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until a notification has come into a state.",
        discussion: """
            A notification that is not sent yet is waited for too. Exits 0 where it has been in the state, and 1 where it \
            has not when the time is over, when it is in another final state, or when it is not known; standard error \
            says which.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Notification") var namespace: NamespaceOptions

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("The state: \(GoalArgument.names).", valueName: "state"),
        transform: GoalArgument.init
    )
    var goal = GoalArgument(state: .acknowledged)

    @Option(help: ArgumentHelp("How long to wait at most, 0 to 3600.", valueName: "seconds"))
    var timeout = 10

    @OptionGroup(title: "Output") var output: OutputOptions

    @Argument(help: "The notification's identifier.")
    var id: String

    func validate() throws {
        guard (0...3_600).contains(timeout) else { throw ValidationError("--timeout takes 0 to 3600 seconds") }
    }

    func run() async throws {
        try await reportingFailures {
            let notification = try await gateway.calling { client in
                try await client.notification(
                    NotificationID(rawValue: id),
                    reaching: goal.state,
                    within: timeout,
                    in: namespace.chosen
                )
            }
            try NotificationStory.write(notification, output.resolved)
            if let failure = goal.failure(given: notification) { throw CommandFailure.no(failure) }
        }
    }
}

/// What to wait for: a state, or any final one.
struct GoalArgument {
    static let names = (DeliveryState.allCases.map(\.rawValue) + ["final"]).joined(separator: ", ")

    /// The state; `nil` for any final one.
    let state: DeliveryState?

    init(state: DeliveryState?) {
        self.state = state
    }

    /// Reads the name of a state, or `final`.
    ///
    /// - Throws: `ValidationError` listing the names.
    init(_ argument: String) throws {
        state = DeliveryState(rawValue: argument)
        guard state != nil || argument == "final" else {
            throw ValidationError("'\(argument)' cannot be waited for; these can: \(Self.names)")
        }
    }

    /// Says why waiting was in vain; `nil` where it was not.
    func failure(given notification: NotificationRecord) -> String? {
        let isMet = state.map(notification.hasReached) ?? notification.state.isFinal
        guard !isMet else { return nil }
        let wanted = state.map { "was not \($0.rawValue)" } ?? "is in no final state"
        let reason = notification.reason.map { " (\($0))" } ?? ""
        return "the notification \(wanted): it is \(notification.state.rawValue)\(reason)"
    }
}
