package import WaypostSchema

extension CallbackSequence {
    /// Determines the calls for a scene that a device opened; `nil` if the device did not say why it opened.
    ///
    /// - Parameters:
    ///   - opened: the scene.
    ///   - app: the app as it is on the device.
    ///   - system: the major version of iOS.
    package init?(for opened: OpenedScene, of app: AppDescription?, system: Int = Self.currentSystem) {
        guard let cause = opened.cause, let state = opened.initialState else { return nil }
        self.init(for: cause, in: state, of: app, system: system)
    }
}
