internal import WaypostSchema

/// A scene activation that no process of the app has taken yet, and its cause.
struct WaitingActivation: Sendable, Codable {
    let activation: SceneActivation

    /// The cause.
    let cause: EventCause
}

/// The scene activations that no app process has taken yet, in the order in which they happened.
struct ActivationQueue: Sendable, Codable {
    private var activations: [BundleIdentifier: [WaitingActivation]] = [:]

    /// Returns the activations that wait for an app.
    func pendingActivations(for app: BundleIdentifier) -> [WaitingActivation] {
        activations[app] ?? []
    }

    mutating func add(_ activation: SceneActivation, of app: BundleIdentifier, for cause: EventCause) {
        activations[app, default: []].append(WaitingActivation(activation: activation, cause: cause))
    }

    /// Removes an activation; returns whether it was there.
    mutating func remove(_ number: Int, of app: BundleIdentifier) -> Bool {
        guard let index = activations[app]?.firstIndex(where: { $0.activation.number == number }) else { return false }
        activations[app]?.remove(at: index)
        return true
    }

    /// Removes the activations of a closed scene.
    mutating func removeAll(of scene: SceneIdentifier, in app: BundleIdentifier) {
        activations[app]?.removeAll { $0.activation.scene == scene }
    }

    /// Removes the activations of a removed app.
    mutating func removeAll(of app: BundleIdentifier) {
        activations[app] = nil
    }
}
