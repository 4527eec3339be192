internal import WaypostSchema

/// The order of scenes that are equally suitable.
///
/// It looks into the scenes where they are, as copying them would cost more than the choice.
struct ScenePrecedence {
    let candidates: [SceneCandidate]

    /// Whether the scene at `index` goes before the one at `other` where both are as suitable.
    ///
    /// Foreground active goes before foreground inactive, background and disconnected; then the most recently
    /// activated; then the persistent identifier (`docs/targeting.md`, rule 2).
    func goesBefore(_ index: Int, _ other: Int) -> Bool {
        switch tieBreak(index, other) {
        case .state: candidates[index].state.distance < candidates[other].state.distance
        case .recency: wasActivated(index, after: other)
        case .identifier: candidates[index].identifier.rawValue < candidates[other].identifier.rawValue
        }
    }

    /// What decides between two scenes where both are as suitable.
    func tieBreak(_ index: Int, _ other: Int) -> SceneDecision.TieBreak {
        if candidates[index].state.distance != candidates[other].state.distance { return .state }
        return candidates[index].lastActivated == candidates[other].lastActivated ? .identifier : .recency
    }

    private func wasActivated(_ index: Int, after other: Int) -> Bool {
        guard let mine = candidates[index].lastActivated else { return false }
        guard let others = candidates[other].lastActivated else { return true }
        return mine > others
    }
}

extension SceneState {
    /// How far from the person's eyes, 0 being nearest.
    fileprivate var distance: Int {
        switch self {
        case .foregroundActive: 0
        case .foregroundInactive: 1
        case .background: 2
        case .disconnected: 3
        }
    }

    /// The state in words.
    var words: String {
        switch self {
        case .foregroundActive: "foreground active"
        case .foregroundInactive: "foreground inactive"
        case .background: "in the background"
        case .disconnected: "disconnected"
        }
    }
}
