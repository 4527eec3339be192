import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

/// The guarantees of a gateway, which follow from the life of a notification and the storage policy.
@Suite struct InboxWalkTests {
    @Test(arguments: Trials.seeds(60))
    func invariantsHoldAfterEveryStepOfARandomWalkWithCrashes(_ seed: UInt64) throws {
        var walk = InboxWalk(seed: seed)
        var invariants = InboxInvariants()
        for _ in 0..<200 {
            try walk.step()
            let errors = invariants.note(walk)
            try #require(errors.isEmpty, "\(errors) after \(walk.label), seed \(seed)")
        }
    }

    /// A walk that never reaches an event proves nothing about it.
    @Test func walksReachEveryPossibleEvent() throws {
        var seen: Set<InboxModel.SeenEvent> = []
        for seed in UInt64(0)..<60 {
            var walk = InboxWalk(seed: seed)
            for _ in 0..<200 { try walk.step() }
            seen.formUnion(walk.model.seen)
        }
        for possible in TransitionTable.cases where possible.next != nil {
            // A notification is stored in the step that accepts it, so no device can be unregistered between the two.
            if !possible.isTransient && possible.state == .accepted && possible.event == .unregister { continue }
            let event = InboxModel.SeenEvent(
                isTransient: possible.isTransient,
                state: possible.state,
                event: possible.event
            )
            #expect(seen.contains(event), "\(possible)")
        }
    }
}
