internal import WaypostSchema

/// The order of equally suitable scenes.
///
/// It compares candidates by index, because copying them would cost more than the choice.
package struct ScenePrecedence {
    private let candidates: [SceneCandidate]

    /// Creates the order of scenes.
    package init(candidates: [SceneCandidate]) {
        self.candidates = candidates
    }

    /// Returns whether the scene at `index` precedes the one at `other` if both are equally suitable.
    ///
    /// Foreground active precedes foreground inactive, background and disconnected; then the most recently activated
    /// scene is first; then the persistent identifier decides (`docs/targeting.md`, rule 2).
    package func precedes(_ index: Int, _ other: Int) -> Bool {
        switch tieBreak(between: index, and: other) {
        case .state:
            candidates[index].state.distanceFromForeground < candidates[other].state.distanceFromForeground
        case .recency: wasActivated(index, after: other)
        case .identifier: candidates[index].identifier.rawValue < candidates[other].identifier.rawValue
        }
    }

    /// Returns the criterion that decides between two equally suitable scenes.
    func tieBreak(between index: Int, and other: Int) -> SceneDecision.TieBreak {
        guard candidates[index].state.distanceFromForeground == candidates[other].state.distanceFromForeground else {
            return .state
        }
        return wasActivated(index, after: other) || wasActivated(other, after: index) ? .recency : .identifier
    }

    private func wasActivated(_ index: Int, after other: Int) -> Bool {
        let (number, otherNumber) = (candidates[index].activationNumber, candidates[other].activationNumber)
        guard number == otherNumber else { return number ?? Int.min > otherNumber ?? Int.min }
        guard let activation = candidates[index].lastActivated else { return false }
        guard let otherActivation = candidates[other].lastActivated else { return true }
        return activation > otherActivation
    }
}

extension SceneState {
    /// The distance from foreground active, whose own distance is 0.
    fileprivate var distanceFromForeground: Int {
        switch self {
        case .foregroundActive: 0
        case .foregroundInactive: 1
        case .background: 2
        case .disconnected: 3
        }
    }

    /// A description of the state, for an explanation.
    var phrase: String {
        switch self {
        case .foregroundActive: "foreground active"
        case .foregroundInactive: "foreground inactive"
        case .background: "in the background"
        case .disconnected: "disconnected"
        }
    }
}
