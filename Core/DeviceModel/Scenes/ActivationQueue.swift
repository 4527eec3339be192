internal import WaypostSchema

/// The activations of scenes that no process of their apps has taken yet, in the order in which they happened.
struct ActivationQueue: Sendable, Codable {
    private var activations: [BundleIdentifier: [SceneActivation]] = [:]

    /// Those of an app.
    func waiting(for app: BundleIdentifier) -> [SceneActivation] {
        activations[app] ?? []
    }

    mutating func add(_ activation: SceneActivation, of app: BundleIdentifier) {
        activations[app, default: []].append(activation)
    }

    /// Takes an activation out; returns whether it was there.
    mutating func take(_ number: Int, of app: BundleIdentifier) -> Bool {
        guard let index = activations[app]?.firstIndex(where: { $0.number == number }) else { return false }
        activations[app]?.remove(at: index)
        return true
    }

    /// Forgets those of a scene that is gone.
    mutating func removeAll(of scene: SceneIdentifier, _ app: BundleIdentifier) {
        activations[app]?.removeAll { $0.scene == scene }
    }

    /// Forgets those of an app that is gone.
    mutating func removeAll(of app: BundleIdentifier) {
        activations[app] = nil
    }
}
