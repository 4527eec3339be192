public import WaypostSchema

/// The number of notifications of a batch in each state.
public struct DeliveryCounts: Sendable, Equatable {
    /// The count for each state; states without notifications are absent.
    public private(set) var states: [DeliveryState: Int]

    /// Creates counts, empty by default.
    public init(_ states: [DeliveryState: Int] = [:]) {
        self.states = states.filter { $0.value != 0 }
    }

    /// The number of notifications in all states.
    public var total: Int {
        states.values.reduce(0, +)
    }

    /// Adds `count` notifications to `state`.
    public mutating func add(_ count: Int = 1, in state: DeliveryState) {
        set((states[state] ?? 0) + count, in: state)
    }

    /// Moves `count` notifications, or as many as there are, from one state to another.
    public mutating func move(_ count: Int = 1, from origin: DeliveryState, to destination: DeliveryState) {
        let movedCount = max(0, min(count, states[origin] ?? 0))
        add(-movedCount, in: origin)
        add(movedCount, in: destination)
    }

    private mutating func set(_ count: Int, in state: DeliveryState) {
        states[state] = count == 0 ? nil : count
    }
}
