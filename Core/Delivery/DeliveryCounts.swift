public import WaypostSchema

/// How many notifications of a batch are in each state.
public struct DeliveryCounts: Sendable, Equatable {
    /// The counts; states without notifications are absent.
    public private(set) var states: [DeliveryState: Int]

    /// Creates counts of nothing, or of what is known already.
    public init(_ states: [DeliveryState: Int] = [:]) {
        self.states = states.filter { $0.value != 0 }
    }

    /// How many notifications there are in all.
    public var total: Int {
        states.values.reduce(0, +)
    }

    /// Counts `count` more notifications in `state`.
    public mutating func add(_ count: Int = 1, in state: DeliveryState) {
        set(state, (states[state] ?? 0) + count)
    }

    /// Moves `count` notifications from one state to another; as many as there are where there are fewer.
    public mutating func move(_ count: Int = 1, from origin: DeliveryState, to destination: DeliveryState) {
        let moved = max(0, min(count, states[origin] ?? 0))
        add(-moved, in: origin)
        add(moved, in: destination)
    }

    private mutating func set(_ state: DeliveryState, _ count: Int) {
        states[state] = count == 0 ? nil : count
    }
}
