import Foundation
import GatewayClient
import TrialModels
import WaypostSchema
import WaypostTestSupport

/// Batches with the same idempotency keys, some with other bodies, from many connections at once.
struct KeyRace: Sendable {
    /// A request of a connection.
    private enum Request: Sendable {
        case send(key: Int, body: Int)

        /// Resets the namespace, and registers the device again.
        case reset
    }

    private let namespace: Namespace
    private let token: DeviceToken = "c0ffee00"
    private let ready: GatewayReadyFile
    private let clients: TrialClients
    private let keys: [ActionRecorder<IdempotencyKeyModel>]
    private let order: ActionOrder
    private let violations: SharedViolations

    /// Creates the race of a namespace that does not exist yet.
    init(_ namespace: Namespace, of ready: GatewayReadyFile, clients: TrialClients) {
        (self.namespace, self.ready, self.clients) = (namespace, ready, clients)
        let order = ActionOrder()
        self.order = order
        keys = (0..<2).map { _ in ActionRecorder(order) }
        violations = SharedViolations(in: "namespace \(namespace)")
    }

    /// Sends everything, and checks the answers and the inbox.
    func run(seed: UInt64) async throws -> TrialOutcome {
        var generator = SeededGenerator(seed: seed)
        try await register()
        let hasReset = Int.random(in: 0..<3, using: &generator) == 0
        let plans = (0..<RacesCampaign.connections).map { connection in
            var plan = (0..<4).map { _ in
                // Mostly the same body, so that most answers are repetitions.
                Request.send(
                    key: Int.random(in: 0..<keys.count, using: &generator),
                    body: max(0, Int.random(in: -4..<3, using: &generator))
                )
            }
            if hasReset, connection < 2 { plan.insert(.reset, at: Int.random(in: 0...4, using: &generator)) }
            return plan
        }
        await withTaskGroup(of: Void.self) { group in
            for plan in plans { group.addTask { for request in plan { await perform(request) } } }
        }
        var outcome = TrialOutcome()
        for (number, key) in keys.enumerated() {
            let subject = "key k\(number) in \(namespace)"
            if let violation = key.violation(of: subject, IdempotencyKeyModel(), &outcome) { violations.add(violation) }
        }
        if !hasReset { try await checkInbox() }
        outcome.violations = violations.all
        return outcome
    }

    private var client: GatewayClient {
        clients.client(of: ready, in: namespace)
    }

    private func register() async throws {
        let registration = DeviceRegistration(name: "iPad", topics: [TrialItems.topic], token: token)
        do {
            _ = try await client.register(registration)
        } catch {
            // Another connection may have registered it after its reset.
            guard case .refused(status: 409, _) = error else { throw error }
        }
    }

    private func perform(_ request: Request) async {
        switch request {
        case .send(let key, let body):
            let error = await keys[key].perform(.send(body: "body \(body)")) { try await send(body, key: key) }
            if let error { violations.add("key k\(key), body \(body): no answer: \(error)") }
        case .reset:
            let begin = order.next()
            do {
                try await clients.client(of: ready).reset(namespace)
                let end = order.next()
                for key in keys { key.record(ConcurrentAction(.reset, .done, begin: begin, end: end)) }
                try await register()
            } catch {
                for key in keys { key.record(ConcurrentAction(unanswered: .reset, begin: begin)) }
                violations.add("the namespace could not be reset: \(error)")
            }
        }
    }

    private func send(_ body: Int, key: Int) async throws -> IdempotencyKeyModel.Response {
        let lines = (0...body).map { TrialItems.line(to: token, text: "\(body), \($0)") }.joined()
        let answer = try await clients.send(lines, to: ready, in: namespace, key: "k\(key)")
        switch answer.status {
        case 200:
            let receipt = try JSONDecoder().decode(BatchReceipt.self, from: answer.body)
            let results = receipt.results.map { "\($0.index) \($0.status) \($0.id?.rawValue ?? "")" }
            let text = "\(receipt.id), \(receipt.accepted) accepted: \(results.joined(separator: ", "))"
            return answer.isReplay
                ? .replayed(receipt: text) : .first(receipt: text, hasAcceptedItems: receipt.accepted > 0)
        case 409: return .conflict
        case 429, 503: return .refused
        default: throw UnexpectedStatus(status: answer.status)
        }
    }

    /// Checks that the inbox has the items of each batch once.
    private func checkInbox() async throws {
        let receipts = keys.flatMap { key in
            key.history.compactMap { action -> String? in
                guard case .first(let receipt, _)? = action.response else { return nil }
                return receipt
            }
        }
        let ids = try await client.inbox(of: token, after: 0, limit: 1_000).notifications.map(\.notification.id)
        for id in ids where !receipts.contains(where: { $0.contains(id.rawValue) }) {
            violations.add("item \(id) is in the inbox, but in no receipt")
        }
        let accepted = receipts.reduce(0) { $0 + $1.components(separatedBy: " 200 ").count - 1 }
        if ids.count != accepted || Set(ids).count != ids.count {
            violations.add("the inbox has \(ids.count) items, \(Set(ids).count) of them distinct, not \(accepted)")
        }
    }

    /// A status that no rule explains.
    private struct UnexpectedStatus: Error {
        let status: UInt
    }
}
