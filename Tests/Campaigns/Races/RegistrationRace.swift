import GatewayClient
import TrialModels
import WaypostSchema
import WaypostTestSupport

/// Registrations, rotations and removals of the same tokens from many connections at once.
struct RegistrationRace: Sendable {
    private let namespace: Namespace
    private let ready: GatewayReadyFile
    private let clients: TrialClients
    private let recorder = ActionRecorder<RegistrationModel>(ActionOrder())
    private let violations: SharedViolations

    /// The tokens for which the connections compete.
    private static let tokens = ["aa01", "aa02", "aa03"]

    /// Creates the race of a namespace that does not exist yet.
    init(_ namespace: Namespace, of ready: GatewayReadyFile, clients: TrialClients) {
        (self.namespace, self.ready, self.clients) = (namespace, ready, clients)
        violations = SharedViolations(in: "namespace \(namespace)")
    }

    /// Sends everything, and checks the answers and the devices after it.
    func run(seed: UInt64) async throws -> TrialOutcome {
        var generator = SeededGenerator(seed: seed)
        var state = RegistrationModel.State()
        for token in ["bb01", "bb02"] {
            let credential = try await client.register(registration(of: token, name: token))
            state.secrets.insert(credential.secret.rawValue)
            state.devices[token] = RegistrationModel.Device(secret: credential.secret.rawValue, name: token)
        }
        let secrets: [String?] = [nil] + state.secrets.sorted().map(Optional.some)
        let hasReset = Int.random(in: 0..<3, using: &generator) == 0
        let plans = (0..<RacesCampaign.connections).map { connection in
            var plan = (0..<3).map { number in
                action(named: "\(connection)-\(number)", secrets: secrets, using: &generator)
            }
            if hasReset, connection == 0 { plan.insert(.reset, at: Int.random(in: 0...3, using: &generator)) }
            return plan
        }
        await withTaskGroup(of: Void.self) { group in
            for plan in plans { group.addTask { for action in plan { await perform(action) } } }
        }
        for token in Self.tokens + ["bb01", "bb02"] { await perform(.read(token: token)) }
        var outcome = TrialOutcome()
        let model = RegistrationModel(from: state)
        if let violation = recorder.violation(of: "devices in \(namespace)", model, &outcome) {
            violations.add(violation)
        }
        outcome.violations = violations.all
        return outcome
    }

    private var client: GatewayClient {
        clients.client(of: ready, in: namespace)
    }

    private func registration(of token: String, name: String, secret: String? = nil) -> DeviceRegistration {
        DeviceRegistration(
            name: name,
            topics: [TrialItems.topic],
            secret: secret.map(BearerSecret.init(rawValue:)),
            token: DeviceToken(rawValue: token)
        )
    }

    /// Returns a random action; half of them are registrations.
    private func action(
        named name: String,
        secrets: [String?],
        using generator: inout SeededGenerator
    ) -> RegistrationModel.Action {
        let pair = Self.tokens.shuffled(using: &generator)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5:
            let secret = secrets[Int.random(in: 0..<secrets.count, using: &generator)]
            return .register(token: pair[0], name: name, secret: secret)
        case 5, 6: return .rotate(token: pair[0], to: pair[1])
        case 7: return .setStanding(token: pair[0], standing: RegistrationModel.unregistered)
        case 8: return .setStanding(token: pair[0], standing: Bool.random(using: &generator) ? "expired" : "active")
        default: return .read(token: pair[0])
        }
    }

    private func perform(_ action: RegistrationModel.Action) async {
        let error = await recorder.perform(action) {
            do throws(CallError) {
                return try await response(to: action)
            } catch {
                guard let refusal = Self.refusal(error) else { throw error }
                return refusal
            }
        }
        if let error { violations.add("\(action): no answer that a rule allows: \(error)") }
    }

    private func response(to action: RegistrationModel.Action) async throws(CallError) -> RegistrationModel.Response {
        switch action {
        case .register(let token, let name, let secret):
            let credential = try await client.register(registration(of: token, name: name, secret: secret))
            return .registered(secret: credential.secret.rawValue)
        case .rotate(let token, let next):
            let rotation = TokenRotation(token: DeviceToken(rawValue: next))
            _ = try await client.rotate(DeviceToken(rawValue: token), with: rotation)
            return .changed
        case .setStanding(let token, RegistrationModel.unregistered):
            try await client.unregister(DeviceToken(rawValue: token))
            return .changed
        case .setStanding(let token, let standing):
            let change = TokenStandingChange(standing: standing == "expired" ? .expired : .active)
            _ = try await client.setStanding(change, of: DeviceToken(rawValue: token))
            return .changed
        case .read(let token):
            let device = try await client.device(DeviceToken(rawValue: token))
            return .found(name: device.name, standing: device.standing.rawValue)
        case .reset:
            try await client.reset(namespace)
            return .changed
        }
    }

    /// Returns the refusal that the model has; `nil` for another error.
    private static func refusal(_ error: CallError) -> RegistrationModel.Response? {
        guard case .refused(let status, let reason) = error else { return nil }
        switch reason.code {
        case "tokenTaken": return .tokenTaken
        case "unknownSecret": return .unknownSecret
        case "unknownDevice": return .unknownDevice
        default: return status == 429 || status == 503 ? .refused : nil
        }
    }
}
