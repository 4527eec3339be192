import GatewayClient
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// Registers devices in a namespace of their own, uninstalls their apps, and changes the standings of their tokens.
struct CrashRegistrar: CrashParticipant {
    private static let namespace: Namespace = "registrations"
    private static let topics: Set<Topic> = [CrashWorld.topic, "com.example.circus"]

    let name = "registrar"

    private let world: CrashWorld
    private var generator: SeededGenerator

    /// The secret of the first registration that was answered, which all others have.
    private var secret: BearerSecret?

    /// The tokens with that secret.
    private var tokens: [DeviceToken] = []

    /// The token of a registration that has no answer.
    private var unansweredToken: DeviceToken?

    /// Creates the participant.
    init(_ world: CrashWorld, seed: UInt64) {
        self.world = world
        generator = SeededGenerator(seed: seed)
    }

    mutating func use(_ life: GatewayLife) async throws {
        try await settle(life)
        // Without a secret, nobody can repeat the registration of an active device.
        if let token = unansweredToken, secret != nil { guard try await register(token, in: life) else { return } }
        while !life.killSwitch.isOver {
            guard try await change(in: life) else { return }
            try await life.pause(.random(in: 0...10, using: &generator))
        }
    }

    /// Checks the states of all devices.
    mutating func settle(_ life: GatewayLife) async throws {
        let client = life.gateway.client(in: Self.namespace)
        var (states, last): ([DeviceToken: RegistrationState], DeviceToken?) = ([:], nil)
        repeat {
            let answer = try await life.answer { [last] in try await client.devices(after: last) }
            guard let page = answer else { return }
            for entry in page.devices { states[entry.device.token] = RegistrationState(entry.device) }
            last = page.next
        } while last != nil
        world.update { [states] in $0.observeDevices(states) }
    }

    /// Returns `false` if the gateway was killed.
    private mutating func change(in life: GatewayLife) async throws -> Bool {
        let old = tokens.randomElement(using: &generator)
        guard secret != nil, let token = old, let state = world.registration(of: token) else {
            return try await register(.random(using: &generator), in: life)
        }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0, 1: return try await register(.random(using: &generator), in: life)
        case 2: return try await register(token, in: life)
        case 3: return try await unregister(token, state, in: life)
        case 4, 5: return try await setTopics(of: token, state, in: life)
        case 6, 7: return try await setStanding(of: token, state, in: life)
        default: return try await send(to: token, in: life)
        }
    }

    private mutating func register(_ token: DeviceToken, in life: GatewayLife) async throws -> Bool {
        // An agent that repeats its registration does not change the standing of the token.
        let standing = world.registration(of: token)?.standing ?? .active
        let state = RegistrationState(standing: standing, topics: Self.topics)
        world.update { $0.beginChange(of: token, to: state) }
        unansweredToken = token
        let registration = DeviceRegistration(
            name: "device \(tokens.count)",
            topics: Self.topics.sorted { $0.rawValue < $1.rawValue },
            secret: secret,
            token: token
        )
        let client = life.gateway.client(in: Self.namespace)
        let credential = try await life.answer { try await client.register(registration) }
        note("register", token, isAnswered: credential != nil)
        guard let credential else { return false }
        unansweredToken = nil
        world.update { $0.confirmRegistration(of: token, as: state, secret: registration.secret, credential) }
        secret = secret ?? credential.secret
        if !tokens.contains(token) { tokens.append(token) }
        return true
    }

    private func unregister(
        _ token: DeviceToken,
        _ state: RegistrationState,
        in life: GatewayLife
    ) async throws -> Bool {
        let client = life.gateway.client(in: Self.namespace)
        let state = RegistrationState(standing: .unregistered, topics: state.topics)
        return try await change(token, to: state, in: life) {
            try await client.unregister(token)
            return state
        }
    }

    private mutating func setStanding(
        of token: DeviceToken,
        _ state: RegistrationState,
        in life: GatewayLife
    ) async throws -> Bool {
        let client = life.gateway.client(in: Self.namespace)
        let standing = TokenStanding.allCases.randomElement(using: &generator) ?? .active
        let state = RegistrationState(standing: standing, topics: state.topics)
        return try await change(token, to: state, in: life) {
            RegistrationState(try await client.setStanding(TokenStandingChange(standing: standing), of: token))
        }
    }

    /// Uninstalls and installs apps.
    private mutating func setTopics(
        of token: DeviceToken,
        _ state: RegistrationState,
        in life: GatewayLife
    ) async throws -> Bool {
        let client = life.gateway.client(in: Self.namespace)
        var topics: Set<Topic> = []
        for topic in Self.topics.sorted(by: { $0.rawValue < $1.rawValue }) where Bool.random(using: &generator) {
            topics.insert(topic)
        }
        let state = RegistrationState(standing: state.standing, topics: topics)
        return try await change(token, to: state, in: life) {
            let list = state.topics.sorted { $0.rawValue < $1.rawValue }
            return RegistrationState(try await client.setTopics(list, of: token))
        }
    }

    private func change(
        _ token: DeviceToken,
        to state: RegistrationState,
        in life: GatewayLife,
        _ send: () async throws -> RegistrationState
    ) async throws -> Bool {
        world.update { $0.beginChange(of: token, to: state) }
        let answer = try await life.answer(to: send)
        note("\(state.standing) for \(state.topics.count) apps", token, isAnswered: answer != nil)
        guard let answer else { return false }
        world.update { $0.confirmChange(of: token, to: state, answer: answer) }
        return true
    }

    /// Sends an item that the gateway must accept or refuse as the device is.
    private func send(to token: DeviceToken, in life: GatewayLife) async throws -> Bool {
        let item = CrashItem(name, sender: name, number: 0, devices: [], namespace: Self.namespace)
        let line = Array((item.line(to: token) + "\n").utf8)
        let client = life.gateway.client(in: Self.namespace)
        guard let receipt = try await life.answer(to: { try await client.send(line) }) else { return false }
        world.update { $0.checkItem(for: token, topic: CrashWorld.topic, isAccepted: receipt.accepted == 1) }
        return true
    }

    private func note(_ text: String, _ token: DeviceToken, isAnswered: Bool) {
        world.note(name, "\(token), \(text): \(isAnswered ? "done" : "no answer")")
    }
}

extension CrashWorld {
    /// Returns the state of a device of the registrar, if it is clear.
    fileprivate func registration(of token: DeviceToken) -> RegistrationState? {
        update { $0.registrations[token]?.state }
    }
}
