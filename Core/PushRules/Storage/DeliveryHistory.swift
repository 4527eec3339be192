public import WaypostSchema

/// The states that a notification has passed through, derived from what the store keeps.
///
/// A state that follows from the others need not be stored.
public enum DeliveryHistory {
    /// Returns the states in order, each with the time at which it was first reached.
    ///
    /// - Parameters:
    ///   - state: the current state.
    ///   - createdAt: the time of arrival.
    ///   - isTransient: whether the expiration is 0.
    ///   - attempts: the writes to an event stream, or `nil` if there were none.
    ///   - endedAt: the time at which the final state was reached.
    /// - Returns: the states. A rejected notification has no other state. Any other was accepted; it was also stored at
    ///   once, unless it is transient or had expired on arrival; and it was sent if it has attempts, even if it is
    ///   stored again.
    public static func steps(
        to state: DeliveryState,
        createdAt: Timestamp,
        isTransient: Bool,
        attempts: DeliveryAttempts?,
        endedAt: Timestamp?
    ) -> [DeliveryStep] {
        guard state != .rejected else { return [DeliveryStep(.rejected, at: createdAt)] }
        var steps = [DeliveryStep(.accepted, at: createdAt)]
        // A notification that was stored expires later than it arrived.
        let expiredOnArrival = state == .expired && endedAt == createdAt
        if !isTransient && !expiredOnArrival { steps.append(DeliveryStep(.stored, at: createdAt)) }
        if let attempts { steps.append(DeliveryStep(.sent, at: attempts.first)) }
        if state.isFinal, let endedAt { steps.append(DeliveryStep(state, at: endedAt)) }
        return steps
    }
}
