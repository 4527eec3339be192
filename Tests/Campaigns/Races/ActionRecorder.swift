import Synchronization
import TrialModels

/// The order of the requests and responses of concurrent clients.
final class ActionOrder: Sendable {
    private let count = Atomic(0)

    /// Returns the next place in the order.
    func next() -> Int {
        count.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
    }
}

/// The actions of concurrent clients on one object.
final class ActionRecorder<Model: SequentialModel>: Sendable {
    private let order: ActionOrder
    private let recorded: Mutex<[ConcurrentAction<Model>]> = Mutex([])

    /// Creates a recorder whose actions are in an order that others share.
    init(_ order: ActionOrder) {
        self.order = order
    }

    /// The actions so far.
    var history: [ConcurrentAction<Model>] {
        recorded.withLock { $0 }
    }

    /// Performs a request, and records it with its response.
    ///
    /// - Returns: The error if there was no response.
    func perform(
        _ action: Model.Action,
        _ request: () async throws -> Model.Response
    ) async -> (any Error)? {
        let begin = order.next()
        do {
            let response = try await request()
            record(ConcurrentAction(action, response, begin: begin, end: order.next()))
            return nil
        } catch {
            record(ConcurrentAction(unanswered: action, begin: begin))
            return error
        }
    }

    /// Records an action.
    func record(_ action: ConcurrentAction<Model>) {
        recorded.withLock { $0.append(action) }
    }

    /// Returns the violation that no order explains the history; `nil` if one does.
    ///
    /// - Parameters:
    ///   - subject: The object, for the sentence.
    ///   - model: Its rules.
    ///   - outcome: Counts the actions, and the histories that the search gives up.
    /// - Returns: The violation.
    func violation(of subject: String, _ model: Model, _ outcome: inout TrialOutcome) -> String? {
        let history = history.sorted { $0.begin < $1.begin }
        outcome.operations += history.count
        outcome.counts["histories", default: 0] += 1
        switch Linearizability(model, maximumSteps: 100_000).verdict(of: history) {
        case .explained: return nil
        case .undecided:
            outcome.counts["undecided histories", default: 0] += 1
            return nil
        case .unexplained(let longest):
            let order = longest.map { "\(history[$0].action)" }
            let others = history.indices.filter { !longest.contains($0) }.map { index in
                let action = history[index]
                let response = action.response.map { "\($0)" } ?? "no response"
                return "\(action.action) (\(action.begin) to \(action.end.map { "\($0)" } ?? "-")): \(response)"
            }
            return """
                no order explains the \(history.count) answers of \(subject): after [\(order.joined(separator: ", "))] \
                none of these fits: \(others.joined(separator: "; "))
                """
        }
    }
}
