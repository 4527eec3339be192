internal import GatewayStore
internal import WaypostSchema

/// The notifications of a namespace's log that somebody wants to see.
struct LogSelection: Sendable {
    let namespace: Namespace
    var token: DeviceToken?
    var topic: Topic?
    var states: Set<DeliveryState>?
    var since: Timestamp?

    /// Returns a question for the store that leaves out nothing of the selection.
    func query(_ start: LogQuery.Start, limit: Int) -> LogQuery {
        LogQuery(token: token, topic: topic, states: storedStates, since: since, start: start, limit: limit)
    }

    /// The states of the selection as the store knows them: what was sent is stored there, or accepted.
    private var storedStates: Set<DeliveryState>? {
        guard var states, states.remove(.sent) != nil else { return states }
        return states.union([.stored, .accepted])
    }

    /// Whether a notification that the store returned belongs to the selection, given its state.
    func includes(_ state: DeliveryState) -> Bool {
        states?.contains(state) ?? true
    }

    /// Whether a notification belongs to the selection.
    func includes(_ record: NotificationRecord) -> Bool {
        (token == nil || record.token == token) && (topic == nil || record.topic == topic) && includes(record.state)
            && (since.map { since in record.history.first.map { $0.at >= since } ?? false } ?? true)
    }
}
