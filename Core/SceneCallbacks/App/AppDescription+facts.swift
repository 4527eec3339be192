package import WaypostSchema

/// A property of the declarations of an app, on which a finding depends.
enum DeclarationFact: Sendable, Hashable {
    /// Every declaration of a window has `matching`.
    case allHaveMatching

    /// The `matching` of a declaration of a window accepts anything.
    case oneMatchesAnything

    /// A `WindowGroup` has no `matching`, in an app that supports several scenes.
    case groupWithoutMatching

    /// Every declaration of a window says which content its scenes accept, and none accepts anything.
    case onlySomeContentIsAccepted

    /// A declaration or a scene prefers some content.
    case contentIsPreferred
}

extension AppDescription {
    /// The methods that the app implements; that it has only one scene counts also if `callbacks` does not say so.
    package var implementation: AppImplementation {
        var implementation = callbacks ?? AppImplementation()
        if !supportsMultipleScenes, implementation.supportsMultipleScenes == nil {
            implementation.supportsMultipleScenes = false
        }
        return implementation
    }

    /// Returns whether a fact is true; `nil` if the app file does not say so.
    func states(_ fact: AppFact) -> Bool? {
        guard case .declarations(let declarationFact) = fact else {
            return callbacks == nil ? nil : implementation.states(fact)
        }
        let windows = (declarations ?? []).filter { ($0.role ?? .windowApplication) == .windowApplication }
            .filter { $0.kind != .documentGroup }
        guard !windows.isEmpty else { return nil }
        return switch declarationFact {
        case .allHaveMatching: windows.allSatisfy { $0.matching != nil }
        case .oneMatchesAnything: windows.contains { $0.matching?.contains("*") == true }
        case .groupWithoutMatching:
            supportsMultipleScenes && windows.contains { $0.kind == .windowGroup && $0.matching == nil }
        case .onlySomeContentIsAccepted: windows.allSatisfy { $0.allowing?.contains("*") == false }
        case .contentIsPreferred:
            windows.contains { $0.preferring?.isEmpty == false } || scenes.contains(where: \.prefersContent)
        }
    }
}

extension SceneSession {
    /// Whether the scene prefers some content.
    fileprivate var prefersContent: Bool {
        let standard = ActivationConditions()
        return activationConditions.preferring?.isEmpty == false
            || activationConditions.prefersToActivateForTargetContentIdentifierPredicate
                != standard.prefersToActivateForTargetContentIdentifierPredicate
    }
}
