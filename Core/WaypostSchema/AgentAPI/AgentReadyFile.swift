/// The ready file that an agent writes once it is registered and its control API accepts connections.
public struct AgentReadyFile: Codable, Sendable, Equatable {
    /// The base URL of the control API; `http+unix://` with the escaped path for a Unix domain socket.
    public var control: String

    /// The base URL of the app API, in the same form.
    public var apps: String?

    /// The token that requests to the control API need; absent if they need none.
    public var controlToken: String?

    /// Creates the value from its parts.
    public init(control: String, apps: String? = nil, controlToken: String? = nil) {
        self.control = control
        self.apps = apps
        self.controlToken = controlToken
    }
}
