internal import GatewayStore
internal import WaypostSchema

/// What the gateway counts.
struct GatewayMetrics: Sendable {
    /// Counts what a batch brought that was accepted, by push type and topic.
    func noteAccepted(_ notifications: some Sequence<NewNotification>) {}

    /// Counts items that were not accepted, by reason.
    func noteRejected(_ reasons: some Sequence<RejectionReason>) {}

    /// Counts notifications that came into `state`.
    func note(_ count: Int = 1, in state: DeliveryState) {}

    /// Counts notifications that were written to streams, those included that had been before.
    func noteSent(_ count: Int, ofThemAgain repeated: Int) {}

    /// Counts the bytes of a body as it was sent, and inflated.
    func noteBody(received: Int, inflated: Int) {}
}
