import AsyncHTTPClient
import GatewayClient
import ProcessTestSupport
import Synchronization
import WaypostSchema
import WaypostTestSupport

/// A device of the crash campaign.
struct CrashDevice: Sendable {
    /// The name in the model.
    var name: String

    /// The namespace.
    var namespace: Namespace

    /// Whether its token is replaced at times, so that notifications for the earlier one are refused.
    var rotates = false
}

/// The model, the history and the tokens that the participants of a trial share.
final class CrashWorld: Sendable {
    /// The namespace whose clock moves.
    static let movingNamespace: Namespace = "moving"

    /// The namespace that is reset.
    static let resetNamespace: Namespace = "reset"

    /// The app of all devices.
    static let topic: Topic = "com.example.clowntown"

    private let model = Mutex(CrashModel())
    private let tokens = Mutex<[String: DeviceToken]>([:])
    private let history: History

    /// Creates the shared state of a trial.
    init(_ history: History) {
        self.history = history
    }

    /// Reads or changes the model; the history gets the violations that it finds.
    func update<Value: Sendable>(_ change: (inout CrashModel) -> Value) -> Value {
        let (value, violations) = model.withLock { model in
            let count = model.violations.count
            let value = change(&model)
            return (value, Array(model.violations.dropFirst(count)))
        }
        for sentence in violations { history.note("violation", sentence) }
        return value
    }

    /// A copy of the model.
    var current: CrashModel {
        update { $0 }
    }

    /// Reports that a promise did not hold.
    func report(_ sentence: String) {
        update { $0.report(sentence) }
    }

    /// Adds a line to the history.
    func note(_ actor: String, _ text: String) {
        history.note(actor, text)
    }

    /// Returns the current token of a device.
    func token(of device: CrashDevice) -> DeviceToken {
        tokens.withLock { $0[device.name] } ?? "dead00"
    }

    /// Sets the token of a device.
    func set(_ token: DeviceToken, of device: String) {
        tokens.withLock { $0[device] = token }
    }
}

/// A gateway from its start to its end.
struct GatewayLife: Sendable {
    /// Calls of the gateway.
    let gateway: GatewayCalls

    /// The switch that kills it.
    let killSwitch: KillSwitch

    /// Sends a request, and returns its answer; `nil` if the gateway was killed and did not answer.
    func answer<Answer: Sendable>(to send: () async throws -> Answer) async throws -> Answer? {
        try await killSwitch.asking(.answer, send)
    }

    /// Waits for a number of pauses, or until the gateway is killed.
    func pause(_ count: Int) async throws {
        for _ in 0..<count where !killSwitch.isOver { try await WaypostTestSupport.pause() }
    }
}

/// Something that uses the gateways of a trial, one after another.
protocol CrashParticipant: Sendable {
    /// The name in reports.
    var name: String { get }

    /// Uses a gateway until it is killed.
    ///
    /// - Throws: An error of a gateway that was not killed.
    mutating func use(_ life: GatewayLife) async throws

    /// Completes what has no answer, with the last gateway.
    mutating func settle(_ life: GatewayLife) async throws
}

extension CrashParticipant {
    /// Has nothing to complete.
    mutating func settle(_ life: GatewayLife) async throws {}
}

extension GatewayCalls {
    /// Returns the typed client of a namespace.
    func client(in namespace: Namespace) -> GatewayClient {
        GatewayClient(http, service: ready.service, courier: ready.courier, namespace: namespace)
    }

    /// Returns the whole delivery log of a namespace.
    func records(in namespace: Namespace) async throws -> [NotificationRecord] {
        var filter = NotificationFilter()
        (filter.afterSequence, filter.limit) = (0, 1_000)
        var records: [NotificationRecord] = []
        let client = client(in: namespace)
        while filter.afterSequence != nil {
            let page = try await client.notifications(filter)
            records += page.notifications
            filter.afterSequence = page.next
        }
        return records
    }

    /// Returns the notifications that entered a state since the gateway started, by state.
    func stateCounters() async throws -> [DeliveryState: Int] {
        let metrics = try PrometheusText(try await client.metrics())
        var counters: [DeliveryState: Int] = [:]
        for sample in metrics.families["waypost_notification_states_total"]?.samples ?? [] {
            guard let state = sample.labels["state"].flatMap({ DeliveryState(rawValue: $0) }) else { continue }
            counters[state, default: 0] += Int(sample.value)
        }
        return counters
    }
}
