public import WaypostSchema

/// Every state that a notification has been in, told from what is kept of it: a state that follows from the others need not
/// be written each time.
public enum DeliveryHistory {
    /// Returns the states in order, each with the time when it was first reached.
    ///
    /// - Parameters:
    ///   - state: where it is now.
    ///   - created: when it came.
    ///   - isTransient: whether its expiration is 0.
    ///   - attempts: when it was written to a stream.
    ///   - ended: when it came into its final state.
    /// - Returns: the states: what was rejected has been nothing else; what is kept was accepted and stored at once, unless it
    ///   had expired when it came; what came back after it was sent has been sent.
    public static func steps(
        to state: DeliveryState,
        created: Timestamp,
        isTransient: Bool,
        attempts: DeliveryAttempts?,
        ended: Timestamp?
    ) -> [DeliveryStep] {
        guard state != .rejected else { return [DeliveryStep(.rejected, at: created)] }
        var steps = [DeliveryStep(.accepted, at: created)]
        // What is stored expires later than it came.
        let hadExpired = state == .expired && ended == created
        if !isTransient && !hadExpired { steps.append(DeliveryStep(.stored, at: created)) }
        if let attempts { steps.append(DeliveryStep(.sent, at: attempts.first)) }
        if state.isFinal, let ended { steps.append(DeliveryStep(state, at: ended)) }
        return steps
    }
}
