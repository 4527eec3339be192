package import WaypostSchema

extension DelegateSetting {
    /// Whether the delegate is called for a response that launches the app, and the source; `nil` if that is uncertain.
    package var launchRule: (isCalled: Bool?, source: CallbackSource) {
        switch self {
        case .willFinishLaunching, .didFinishLaunching: (true, .responseAtLaunch)
        case .willConnect: (nil, .inferred)
        case .later: (false, .lateDelegate)
        case .never: (false, .centerDelegate)
        }
    }

    /// Returns whether the delegate is called in a state of the app; `nil` if that is uncertain.
    package func isCalled(in state: InitialState) -> Bool? {
        Set<InitialState>.launching.contains(state) ? launchRule.isCalled : self != .never
    }
}
