internal import WaypostSchema

/// The scene activations that no app process has taken yet, in the order in which they happened.
struct ActivationQueue: Sendable, Codable {
    private var activations: [BundleIdentifier: [SceneActivation]] = [:]

    /// Returns the activations that wait for an app.
    func pendingActivations(for app: BundleIdentifier) -> [SceneActivation] {
        activations[app] ?? []
    }

    mutating func add(_ activation: SceneActivation, of app: BundleIdentifier) {
        activations[app, default: []].append(activation)
    }

    /// Removes an activation; returns whether it was there.
    mutating func remove(_ number: Int, of app: BundleIdentifier) -> Bool {
        guard let index = activations[app]?.firstIndex(where: { $0.number == number }) else { return false }
        activations[app]?.remove(at: index)
        return true
    }

    /// Removes the activations of a closed scene.
    mutating func removeAll(of scene: SceneIdentifier, in app: BundleIdentifier) {
        activations[app]?.removeAll { $0.scene == scene }
    }

    /// Removes the activations of a removed app.
    mutating func removeAll(of app: BundleIdentifier) {
        activations[app] = nil
    }
}
