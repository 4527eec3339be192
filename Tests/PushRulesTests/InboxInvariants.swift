import PushRules
import WaypostSchema

/// The invariants of a gateway after every step, tracked independently of the gateway.
struct InboxInvariants {
    private var finalStates: [Int: DeliveryState] = [:]
    private var inbox: Set<Int> = []
    private var flights: Set<Int> = []

    /// Records a step and returns the violated invariants.
    mutating func note(_ walk: InboxWalk) -> [String] {
        let model = walk.model
        var errors = livesAndEnds(model) + slots(model) + counts(model)
        if walk.sent.contains(where: { finalStates[$0] != nil }) { errors.append("a final item was sent again") }
        if walk.crashed { errors += crash(model) }
        finalStates = model.departed.mapValues(\.life.state)
        inbox = Set(model.inbox.keys)
        flights = Set(model.flights.keys)
        return errors
    }

    private func livesAndEnds(_ model: InboxModel) -> [String] {
        var errors: [String] = []
        let places = [Array(model.inbox.keys), Array(model.flights.keys), Array(model.departed.keys)].joined().sorted()
        if places != Array(1..<(model.lastSequence + 1)) { errors.append("an accepted item is not in one place") }
        if model.live.contains(where: \.life.state.isFinal) { errors.append("a live item is in a final state") }
        if !model.departed.values.allSatisfy(\.life.state.isFinal) {
            errors.append("a departed item is not in a final state")
        }
        let changed = finalStates.filter { model.departed[$0.key]?.life.state != $0.value }
        if !changed.isEmpty { errors.append("a final state changed") }
        return errors
    }

    /// At most one live item occupies a slot, independently of how the model names slots.
    private func slots(_ model: InboxModel) -> [String] {
        let items = Array(model.inbox.values)
        var errors: [String] = []
        if Self.hasTwins(items.filter { $0.slot != nil }, of: { "\($0.address) \(String(describing: $0.slot))" }) {
            errors.append("two live items share a slot")
        }
        let kept = items.filter { $0.address.topic != InboxWalk.topics[0] && $0.traits.collapseID != nil }
        if Self.hasTwins(kept, of: { "\($0.address) \(String(describing: $0.traits.collapseID))" }) {
            errors.append("two live items of a lossless app share a collapse identifier")
        }
        let single = items.filter { item in
            item.address.topic != .messages && model.modes[item.address.topic] == .apns
                && !model.connected.contains(item.address.device)
        }
        if Self.hasTwins(single, of: { "\($0.address)" }) {
            errors.append("a disconnected device has two live items of an app with apns storage")
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

    /// A crash keeps stored items, except those that `apns` storage drops for a disconnected device.
    ///
    /// It drops transient items.
    private func crash(_ model: InboxModel) -> [String] {
        let left = inbox.subtracting(model.inbox.keys)
        let isKept = left.allSatisfy { model.departed[$0]?.life.state == .collapsed }
        let isStored = model.inbox.values.allSatisfy { $0.life.state == .stored }
        let isDropped = flights.allSatisfy { model.departed[$0]?.life.state == .dropped }
        return isKept && isStored && isDropped ? [] : ["a crash lost a stored item or kept a transient one"]
    }

    private static func hasTwins(_ items: [InboxModel.Item], of name: (InboxModel.Item) -> String) -> Bool {
        Set(items.map(name)).count != items.count
    }
}
