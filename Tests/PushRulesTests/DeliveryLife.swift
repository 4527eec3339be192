import WaypostSchema

/// The life of one notification from its acceptance to its final state: the tests' model of the store and the streams.
///
/// A stored notification is on disk, so a crash of the gateway returns it to `stored`. A transient notification
/// (expiration 0) is in memory only, so a crash drops it.
///
///     stored:     accepted ─▶ stored ◀─▶ sent, and from each of them
///                 ─▶ acknowledged (not from accepted), collapsed (the same), expired, unregistered
///     transient:  accepted ─▶ sent, and from each of them
///                 ─▶ acknowledged (from sent), dropped, unregistered
struct DeliveryLife: Sendable, Equatable {
    /// Whether its expiration is 0: it is delivered to a connected device now, or dropped.
    let isTransient: Bool

    /// The current state.
    private(set) var state: DeliveryState

    /// Creates the life of a notification that was just accepted.
    init(isTransient: Bool) {
        self.init(isTransient: isTransient, state: .accepted)
    }

    /// Creates the remaining life of a notification that is in `state`.
    init(isTransient: Bool, state: DeliveryState) {
        self.isTransient = isTransient
        self.state = state
    }

    /// Applies `event`.
    ///
    /// - Throws: `ImpossibleDeliveryEvent` if it cannot happen in this state; then nothing changes.
    mutating func apply(_ event: DeliveryEvent) throws(ImpossibleDeliveryEvent) {
        guard let next = state(after: event) else { throw ImpossibleDeliveryEvent(event: event, state: state) }
        state = next
    }

    /// Returns the state that `event` leads to, or `nil` if the event cannot happen.
    func state(after event: DeliveryEvent) -> DeliveryState? {
        switch state {
        case .accepted: stateAfterAcceptance(event)
        case .stored: event == .send ? .sent : stateWhenLeaving(by: event)
        case .sent: event == .comeBack ? stateAfterComingBack : stateWhenLeaving(by: event)
        case .acknowledged, .collapsed, .expired, .dropped, .unregistered, .rejected: nil
        }
    }

    /// The state after a crash of the gateway.
    var stateAfterCrash: DeliveryState {
        switch state {
        case .accepted: .dropped
        case .sent: stateAfterComingBack
        default: state
        }
    }

    private var stateAfterComingBack: DeliveryState {
        isTransient ? .dropped : .stored
    }

    private func stateAfterAcceptance(_ event: DeliveryEvent) -> DeliveryState? {
        switch event {
        case .store: isTransient ? nil : .stored
        case .send: isTransient ? .sent : nil
        case .expire: isTransient ? nil : .expired
        case .drop: isTransient ? .dropped : nil
        case .unregister: .unregistered
        case .comeBack, .acknowledge, .collapse: nil
        }
    }

    private func stateWhenLeaving(by event: DeliveryEvent) -> DeliveryState? {
        switch event {
        case .acknowledge: .acknowledged
        case .collapse: isTransient ? nil : .collapsed
        case .expire: isTransient ? nil : .expired
        case .drop: isTransient ? .dropped : nil
        case .unregister: .unregistered
        case .store, .send, .comeBack: nil
        }
    }
}

/// An event that cannot happen in the notification's current state.
struct ImpossibleDeliveryEvent: Error, Sendable, Equatable {
    /// The event.
    let event: DeliveryEvent

    /// The state.
    let state: DeliveryState
}

/// An event in the life of an accepted notification.
enum DeliveryEvent: String, Sendable, CaseIterable {
    /// The notification is added to its device's inbox.
    case store

    /// The notification is written to its device's open stream.
    case send

    /// The stream that it was written to has closed, or the notification is to be written again.
    case comeBack

    /// The device acknowledges the notification.
    case acknowledge

    /// A later notification replaces it.
    case collapse

    /// The notification expires.
    case expire

    /// The notification is transient, and no device can receive it now.
    case drop

    /// The device is unregistered, from the gateway or for the topic.
    case unregister
}
