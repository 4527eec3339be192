import Delivery
import WaypostSchema

/// What must hold of a gateway after every step, kept apart from the gateway.
struct InboxInvariants {
    private var finalStates: [Int: DeliveryState] = [:]
    private var inbox: Set<Int> = []
    private var flights: Set<Int> = []

    /// Takes note of a step; returns what is wrong behind it.
    mutating func note(_ walk: InboxWalk) -> [String] {
        let model = walk.model
        var errors = livesAndEnds(model) + slots(model) + counts(model)
        if walk.sent.contains(where: { finalStates[$0] != nil }) { errors.append("what is gone came back") }
        if walk.crashed { errors += crash(model) }
        finalStates = model.departed.mapValues(\.life.state)
        inbox = Set(model.inbox.keys)
        flights = Set(model.flights.keys)
        return errors
    }

    private func livesAndEnds(_ model: InboxModel) -> [String] {
        var errors: [String] = []
        let places = [Array(model.inbox.keys), Array(model.flights.keys), Array(model.departed.keys)].joined().sorted()
        if places != Array(1..<(model.lastSequence + 1)) { errors.append("an accepted item is not in just one place") }
        if model.live.contains(where: \.life.state.isFinal) { errors.append("what is live is in a final state") }
        if !model.departed.values.allSatisfy(\.life.state.isFinal) {
            errors.append("what is gone is in no final state")
        }
        let changed = finalStates.filter { model.departed[$0.key]?.life.state != $0.value }
        if !changed.isEmpty { errors.append("a final state changed") }
        return errors
    }

    /// At most one live item has a slot, whatever the slots are called.
    private func slots(_ model: InboxModel) -> [String] {
        let items = Array(model.inbox.values)
        var errors: [String] = []
        if Self.hasTwins(items.filter { $0.slot != nil }, of: { "\($0.address) \(String(describing: $0.slot))" }) {
            errors.append("two live items have one slot")
        }
        let kept = items.filter { $0.address.topic != InboxWalk.topics[0] && $0.traits.collapseID != nil }
        if Self.hasTwins(kept, of: { "\($0.address) \(String(describing: $0.traits.collapseID))" }) {
            errors.append("two live items of a lossless app have one collapse identifier")
        }
        let single = items.filter { item in
            item.address.topic != .messages && model.modes[item.address.topic] == .apns
                && !model.connected.contains(item.address.device)
        }
        if Self.hasTwins(single, of: { "\($0.address)" }) {
            errors.append("a device that is away has two live items of an app whose storage is apns")
        }
        return errors
    }

    private func counts(_ model: InboxModel) -> [String] {
        var tally: [Int: [DeliveryState: Int]] = [:]
        for item in model.inbox.values { tally[item.batch, default: [:]][.stored, default: 0] += 1 }
        for item in model.flights.values { tally[item.batch, default: [:]][.accepted, default: 0] += 1 }
        for item in model.departed.values { tally[item.batch, default: [:]][item.life.state, default: 0] += 1 }
        return tally == model.counts.mapValues(\.states) ? [] : ["the counts do not add up"]
    }

    /// A crash keeps what is stored, but for what `apns` does not keep for who is away, and drops what flies.
    private func crash(_ model: InboxModel) -> [String] {
        let left = inbox.subtracting(model.inbox.keys)
        let isKept = left.allSatisfy { model.departed[$0]?.life.state == .collapsed }
        let isStored = model.inbox.values.allSatisfy { $0.life.state == .stored }
        let isDropped = flights.allSatisfy { model.departed[$0]?.life.state == .dropped }
        return isKept && isStored && isDropped ? [] : ["a crash cost something, or kept what it cannot"]
    }

    private static func hasTwins(_ items: [InboxModel.Item], of name: (InboxModel.Item) -> String) -> Bool {
        Set(items.map(name)).count != items.count
    }
}
