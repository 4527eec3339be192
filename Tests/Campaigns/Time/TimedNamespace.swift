import GatewayClient
import TrialModels
import WaypostSchema
import WaypostTestSupport

/// A namespace with two devices of one agent, and the model of its clock and items.
struct TimedNamespace: Sendable {
    /// The name.
    let name: Namespace

    /// The choices of the trial in this namespace.
    var generator: SeededGenerator

    /// The model of the idempotency keys.
    var keys = KeyLifetimeModel()

    /// The model of the items.
    private(set) var inbox: TimedInbox

    /// The number of requests.
    private(set) var operations = 0

    /// Whether the agent has a stream.
    private(set) var isConnected = false

    /// The token of items that are rejected.
    private static let unknownToken: DeviceToken = "00ff"

    private var tokens: [DeviceToken] = []
    private var secret: BearerSecret = ""
    private var pastViolations: [String] = []

    /// Creates a namespace that the gateway does not have yet.
    init(_ name: Namespace, seed: UInt64) {
        (self.name, generator) = (name, SeededGenerator(seed: seed))
        inbox = TimedInbox(ClockReadings(0...0))
    }

    /// The violations that were observed.
    var violations: [String] {
        (pastViolations + inbox.violations).map { "namespace \(name): \($0)" }
    }

    /// Registers the devices.
    mutating func register(_ client: GatewayClient) async throws {
        let registration = DeviceRegistration(name: "iPad", topics: [TrialItems.topic])
        let first = try await client.register(registration)
        secret = first.secret
        var other = registration
        (other.name, other.secret) = ("iPhone", secret)
        let second = try await client.register(other)
        tokens = [first.token, second.token]
    }

    /// Starts the models again, at the first reading of the clock.
    mutating func begin(at reading: ClosedRange<Int>) {
        pastViolations += inbox.violations
        (inbox, keys) = (TimedInbox(ClockReadings(reading)), KeyLifetimeModel())
    }

    /// Adds a violation.
    func report(_ violation: String) {
        inbox.add([violation])
    }

    /// Sends items with expirations in seconds.
    mutating func send(_ client: GatewayClient, expirations: [Int?]) async throws {
        let items = expirations.map { (id: TrialItems.id(using: &generator), expiration: $0) }
        inbox.update { model in
            for item in items { model.send(item.id.rawValue, expiration: item.expiration) }
        }
        let lines = items.map { item in
            let token = tokens[Int.random(in: 0..<tokens.count, using: &generator)]
            return TrialItems.line(to: token, id: item.id, expiration: item.expiration)
        }
        let receipt = try await client.send(Array(lines.joined().utf8))
        operations += items.count
        if receipt.accepted != items.count {
            report("batch \(receipt.id): \(receipt.accepted) of \(items.count) accepted")
        }
    }

    /// Sends a batch with one of two keys; all its items are rejected, so it is only about the key.
    mutating func sendWithKey(_ client: GatewayClient, at now: Int) async throws {
        let key = Bool.random(using: &generator) ? "a" : "b"
        let body = TrialItems.line(to: Self.unknownToken, text: key)
        let receipt = try await client.send(Array(body.utf8), key: key)
        operations += 1
        if let violation = keys.receive(receipt.id.rawValue, with: key, at: now) { report(violation) }
    }

    /// Runs `body` while the agent has a stream.
    mutating func connected(
        _ client: GatewayClient,
        _ body: (inout Self) async throws -> Void
    ) async throws {
        var copy = self
        copy.isConnected = true
        let (inbox, secret, seed) = (inbox, secret, copy.generator.next())
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await inbox.follow(client, with: secret, seed: seed) }
            try await body(&copy)
        }
        self = copy
        isConnected = false
    }

    /// Waits until the stream has sent everything that it can send, if the agent has one.
    ///
    /// A last item shows this, because the stream sends in order.
    mutating func quiesce(_ client: GatewayClient) async throws {
        guard isConnected, let token = tokens.first else { return }
        let id = TrialItems.id(using: &generator)
        inbox.update { $0.send(id.rawValue, expiration: nil) }
        _ = try await client.send(Array(TrialItems.line(to: token, id: id).utf8))
        let shared = inbox
        let violation = try await TrialItems.violation(unless: "item \(id) reaches the open stream") {
            shared.update { $0.hasReceived(id.rawValue) }
        }
        if let violation { report(violation) }
    }

    /// Returns the violations of the inboxes, from which all that is expired should have been removed.
    func inboxViolations(_ client: GatewayClient) async throws -> [String] {
        var ids: [String] = []
        for token in tokens {
            var next: Int? = 0
            while let after = next {
                let page = try await client.inbox(of: token, after: after, limit: 1_000)
                ids += page.notifications.map(\.notification.id.rawValue)
                next = page.next
            }
        }
        let listed = ids
        return inbox.update { $0.violations(inInbox: listed) }
    }

    /// Checks the inboxes and the delivery log, after all that is expired was removed.
    mutating func check(_ client: GatewayClient) async throws {
        inbox.add(try await inboxViolations(client))
        let log = try await log(client)
        operations += log.count
        inbox.add(inbox.update { $0.check(log, isSwept: true) })
    }

    private func log(_ client: GatewayClient) async throws -> [LoggedItem] {
        var (items, next): ([LoggedItem], Int?) = ([], 0)
        while let after = next {
            var filter = NotificationFilter()
            (filter.afterSequence, filter.limit) = (after, 1_000)
            let page = try await client.notifications(filter)
            items += page.notifications.filter { $0.token != Self.unknownToken }.compactMap { LoggedItem($0) }
            next = page.next
        }
        return items
    }
}

extension LoggedItem {
    /// Creates the item of a record; `nil` if it has no identifier.
    fileprivate init?(_ record: NotificationRecord) {
        guard let id = record.id else { return nil }
        let state: State =
            switch record.state {
            case .accepted, .stored, .sent: .open
            case .acknowledged: .acknowledged
            case .expired: .expired
            case .collapsed, .dropped, .unregistered, .rejected: .other(record.state.rawValue)
            }
        self.init(
            id: id.rawValue,
            state: state,
            sentAt: record.history.first { $0.state == .sent }?.at.rawValue,
            changedAt: record.history.last?.at.rawValue ?? 0
        )
    }
}
