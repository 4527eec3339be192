/// The rules of the registrations of a namespace: tokens, the agents that have them, and their standings.
package struct RegistrationModel: SequentialModel {
    /// A registered device.
    package struct Device: Hashable, Sendable {
        /// The secret of its agent.
        package var secret: String

        /// Its name.
        package var name: String

        /// The standing of its token.
        package var standing: String

        /// Creates a device.
        package init(secret: String, name: String, standing: String = RegistrationModel.active) {
            (self.secret, self.name, self.standing) = (secret, name, standing)
        }
    }

    /// The agents and devices of the namespace.
    package struct State: Hashable, Sendable {
        /// The secrets of the agents.
        package var secrets: Set<String> = []

        /// The devices, by token.
        package var devices: [String: Device] = [:]

        /// Creates an empty namespace.
        package init() {}
    }

    /// A request.
    package enum Action: Sendable {
        /// Registers a token, for the agent with a secret or for a new one.
        case register(token: String, name: String, secret: String?)

        /// Gives the device with a token another one.
        case rotate(token: String, to: String)

        /// Sets the standing of a token; `unregistered` is also what the deletion of a device sets.
        case setStanding(token: String, standing: String)

        /// Reads a device.
        case read(token: String)

        /// Resets the namespace.
        case reset
    }

    /// The response to a request.
    package enum Response: Sendable, Equatable {
        /// The device is registered; its agent has this secret.
        case registered(secret: String)

        /// The change was made.
        case changed

        /// The device was found.
        case found(name: String, standing: String)

        /// Another device has the token.
        case tokenTaken

        /// There is no agent with the secret.
        case unknownSecret

        /// There is no device with the token.
        case unknownDevice

        /// The request was refused for a reason that does not depend on the state, such as too much load.
        case refused
    }

    /// The standing of a token that was registered.
    package static let active = "active"

    /// The standing of a token that was replaced or deleted.
    package static let unregistered = "unregistered"

    /// The state before the first request.
    package let initialState: State

    /// Creates the model of a namespace.
    package init(from state: State = State()) {
        initialState = state
    }

    /// Returns the states after a request.
    package func states(after action: Action, with response: Response?, from state: State) -> [State] {
        if response == .refused { return [state] }
        guard let response else {
            let changed = result(of: action, in: state, newSecret: nil)
            return [changed.state]
        }
        var newSecret: String?
        if case .registered(let secret) = response { newSecret = secret }
        let result = result(of: action, in: state, newSecret: newSecret)
        return result.response == response ? [result.state] : []
    }

    /// Returns whether a request was a read, or was refused.
    package func changesNothing(_ action: Action, with response: Response) -> Bool {
        switch response {
        case .found, .tokenTaken, .unknownSecret, .unknownDevice, .refused: true
        case .registered, .changed: false
        }
    }

    /// Returns the response to a request, and the state after it.
    ///
    /// - Parameters:
    ///   - action: The request.
    ///   - state: The state before it.
    ///   - newSecret: The secret of the agent that a registration creates; `nil` if it is unknown.
    /// - Returns: The response and the state.
    private func result(of action: Action, in state: State, newSecret: String?) -> (response: Response, state: State) {
        var state = state
        switch action {
        case .register(let token, let name, let secret):
            let response = register(token, name: name, secret: secret, newSecret: newSecret, in: &state)
            return (response, state)
        case .rotate(let token, let next):
            guard let device = state.devices[token] else { return (.unknownDevice, state) }
            guard state.devices[next] == nil else { return (.tokenTaken, state) }
            state.devices[next] = device
            state.devices[token]?.standing = Self.unregistered
            return (.changed, state)
        case .setStanding(let token, let standing):
            guard state.devices[token] != nil else { return (.unknownDevice, state) }
            state.devices[token]?.standing = standing
            return (.changed, state)
        case .read(let token):
            guard let device = state.devices[token] else { return (.unknownDevice, state) }
            return (.found(name: device.name, standing: device.standing), state)
        case .reset:
            return (.changed, State())
        }
    }

    private func register(
        _ token: String,
        name: String,
        secret: String?,
        newSecret: String?,
        in state: inout State
    ) -> Response {
        if let secret, !state.secrets.contains(secret) { return .unknownSecret }
        let earlier = state.devices[token]
        if let earlier, earlier.secret != secret, earlier.standing == Self.active || secret != nil {
            return .tokenTaken
        }
        // The secret of a registration without a response is never used.
        let owner = secret ?? newSecret ?? "of \(name)"
        // A secret that exists already is not new.
        guard secret != nil || !state.secrets.contains(owner) else { return .refused }
        state.secrets.insert(owner)
        // An agent that repeats a registration says nothing about the standing of its token.
        let standing = earlier.flatMap { $0.secret == owner ? $0.standing : nil } ?? Self.active
        state.devices[token] = Device(secret: owner, name: name, standing: standing)
        return .registered(secret: owner)
    }
}
