extension Callback {
    /// All calls with an event, each as its method and argument, as an expectation names them.
    package static let deliveries = Set(
        CauseRule.all.flatMap(\.cells).flatMap(\.eventCalls).map { $0.callback.delivery(of: $0.argument) }
    )

    /// Returns the method and the argument with the event, or the method if there is none.
    func delivery(of argument: EventArgument?) -> String {
        argument.map { "\(signature) \($0)" } ?? signature
    }
}

extension CauseCell {
    /// The calls with the event; empty if the cause cannot occur.
    fileprivate var eventCalls: [EventCall] {
        if case .calls(let calls, _) = outcome { calls } else { [] }
    }
}
