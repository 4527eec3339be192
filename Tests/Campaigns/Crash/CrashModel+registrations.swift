import WaypostSchema

/// The state of a registered device.
struct RegistrationState: Sendable, Equatable {
    /// The standing of its token.
    var standing: TokenStanding

    /// Its topics; an app that was uninstalled has none.
    var topics: Set<Topic>
}

extension RegistrationState {
    /// Creates the state that the gateway reports.
    init(_ device: RegisteredDevice) {
        self.init(standing: device.standing, topics: Set(device.topics))
    }
}

/// A device whose last change may have no answer.
struct ModeledRegistration: Sendable, Equatable {
    /// The states that the device may have; `nil` stands for no device.
    private(set) var possibleStates: [RegistrationState?] = [nil]

    /// The state, if the device exists and the last change was answered or its effect was seen.
    var state: RegistrationState? {
        possibleStates.count == 1 ? possibleStates[0] : nil
    }

    /// Records that a request to change the device begins.
    mutating func begin(_ state: RegistrationState) {
        if !possibleStates.contains(state) { possibleStates.append(state) }
    }

    /// Records the state of the device.
    mutating func confirm(_ state: RegistrationState?) {
        possibleStates = [state]
    }
}

/// Rules about registrations, standings and topics.
extension CrashModel {
    /// Records that a request begins which gives a device a state.
    mutating func beginChange(of token: DeviceToken, to state: RegistrationState) {
        registrations[token, default: ModeledRegistration()].begin(state)
    }

    /// Records the answer to such a request, with the state in the answer.
    mutating func confirmChange(of token: DeviceToken, to state: RegistrationState, answer: RegistrationState) {
        countOperation()
        registrations[token, default: ModeledRegistration()].confirm(state)
        if answer != state { report("device \(token) was changed to \(state), and the answer is \(answer)") }
    }

    /// Records the answer to a registration, which has the token and the secret of the request.
    ///
    /// - Parameters:
    ///   - token: The token of the request.
    ///   - state: The state that the device then has.
    ///   - secret: The secret of the request; `nil` if it had none.
    ///   - credential: The answer.
    mutating func confirmRegistration(
        of token: DeviceToken,
        as state: RegistrationState,
        secret: BearerSecret?,
        _ credential: DeviceCredential
    ) {
        confirmChange(of: token, to: state, answer: state)
        if credential.token != token { report("\(token) was registered, and the answer has \(credential.token)") }
        if let secret, credential.secret != secret { report("\(token) was registered, and got another secret") }
    }

    /// Records the states of all devices, while no request to change them is under way.
    mutating func observeDevices(_ devices: [DeviceToken: RegistrationState]) {
        countOperation()
        for (token, registration) in registrations.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let state = devices[token]
            if !registration.possibleStates.contains(state) {
                report("device \(token) is \(Self.text(state)), not \(registration.possibleStates.map(Self.text))")
            }
            registrations[token]?.confirm(state)
        }
        for token in devices.keys where registrations[token] == nil {
            report("device \(token) exists, and nobody registered it")
        }
    }

    /// Records whether an item for a device was accepted, while no request to change the device is under way.
    mutating func checkItem(for token: DeviceToken, topic: Topic, isAccepted: Bool) {
        countOperation()
        let state = registrations[token]?.state
        let expected = state.map { $0.standing == .active && $0.topics.contains(topic) } ?? false
        guard isAccepted != expected else { return }
        report("an item for \(token) was \(isAccepted ? "accepted" : "refused"), and the device is \(Self.text(state))")
    }

    private static func text(_ state: RegistrationState?) -> String {
        state.map { "\($0.standing) for \($0.topics.map(\.rawValue).sorted())" } ?? "absent"
    }
}
