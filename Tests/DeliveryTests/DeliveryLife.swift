import WaypostSchema

/// The life of one notification from its acceptance to its final state: the tests' model of what the store and the streams do.
///
/// What is stored is on the disk, so that a crash of the gateway takes it back to `stored`; a transient notification
/// (expiration 0) is in memory only, so that a crash drops it.
///
///     what is kept:       accepted ─▶ stored ◀─▶ sent, and from each of them
///                         ─▶ acknowledged (not from accepted), collapsed (the same), expired, unregistered
///     what is transient:  accepted ─▶ sent, and from each of them
///                         ─▶ acknowledged (from sent), dropped, unregistered
struct DeliveryLife: Sendable, Equatable {
    /// Whether it is delivered to a device that is connected, or not at all: its expiration is 0.
    let isTransient: Bool

    /// Where it is.
    private(set) var state: DeliveryState

    /// Creates the life of a notification that was just accepted.
    init(isTransient: Bool) {
        self.init(isTransient: isTransient, state: .accepted)
    }

    /// Creates the rest of the life of a notification that is in `state`.
    init(isTransient: Bool, state: DeliveryState) {
        self.isTransient = isTransient
        self.state = state
    }

    /// Lets `event` happen.
    ///
    /// - Throws: `ImpossibleDeliveryEvent` where it cannot happen in this state; nothing changes then.
    mutating func apply(_ event: DeliveryEvent) throws(ImpossibleDeliveryEvent) {
        guard let next = state(after: event) else { throw ImpossibleDeliveryEvent(event: event, state: state) }
        state = next
    }

    /// Returns the state that `event` leads to; `nil` where it cannot happen.
    func state(after event: DeliveryEvent) -> DeliveryState? {
        switch state {
        case .accepted: stateAfterAcceptance(event)
        case .stored: event == .send ? .sent : stateWhenLeaving(by: event)
        case .sent: event == .comeBack ? stateAfterComingBack : stateWhenLeaving(by: event)
        case .acknowledged, .collapsed, .expired, .dropped, .unregistered, .rejected: nil
        }
    }

    /// Where a crash of the gateway leaves it.
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

/// An event that cannot happen to a notification in the state that it is in.
struct ImpossibleDeliveryEvent: Error, Sendable, Equatable {
    /// The event.
    let event: DeliveryEvent

    /// The state.
    let state: DeliveryState
}

/// What happens to an accepted notification.
enum DeliveryEvent: String, Sendable, CaseIterable {
    /// It is put into its device's inbox.
    case store

    /// It is written to its device's open stream.
    case send

    /// The stream that it was written to is gone, or it is to be written again.
    case comeBack

    /// The device says that it has it.
    case acknowledge

    /// A later notification takes its place.
    case collapse

    /// Its expiration passes.
    case expire

    /// It is transient, and nobody takes it now.
    case drop

    /// Its device is unregistered, from the gateway or for its topic.
    case unregister
}
