import AsyncHTTPClient
import Foundation
import Synchronization

/// When one life of the gateway ends.
struct KillPlan: Sendable {
    /// What is counted.
    enum Event: CaseIterable, Sendable {
        /// A request begins.
        case request

        /// A piece of a batch's body is about to be sent.
        case piece

        /// An answer has come.
        case answer

        /// An answer to an acknowledgement has come.
        case acknowledgement
    }

    /// The event that is counted.
    var event: Event

    /// How many of them there are before the end.
    var count: Int

    /// How often an event loop turns between the last of them and the end, so that it hits anywhere in the work on what
    /// is outstanding.
    var turns: Int

    /// A plan that `generator` draws.
    init(using generator: inout some RandomNumberGenerator) {
        event = Event.allCases.randomElement(using: &generator) ?? .answer
        count = .random(in: event == .acknowledgement ? 1...10 : 3...30, using: &generator)
        turns = Bool.random(using: &generator) ? 0 : .random(in: 0...600, using: &generator)
    }
}

/// Ends a gateway with SIGKILL when its plan says so, and knows which requests were outstanding then.
final class KillSwitch: Sendable {
    private struct State {
        var count = 0
        var isOver = false
        var unanswered = 0
    }

    private let process: ChildProcess
    private let plan: KillPlan?
    private let http: HTTPClient
    private let state = Mutex(State())

    /// Watches over a gateway, which is not ended where there is no plan.
    init(_ process: ChildProcess, _ plan: KillPlan?, _ http: HTTPClient) {
        self.process = process
        self.plan = plan
        self.http = http
    }

    /// Whether the gateway was ended.
    var isOver: Bool {
        state.withLock { $0.isOver }
    }

    /// How many requests had begun before the end and were never answered.
    var unanswered: Int {
        state.withLock { $0.unanswered }
    }

    /// Notes an event; where it is the last of the plan, the gateway is no more when this returns.
    func note(_ event: KillPlan.Event) async {
        guard let plan, plan.event == event else { return }
        let isLast = state.withLock { state in
            state.count += 1
            return state.count == plan.count
        }
        guard isLast else { return }
        await http.turn(plan.turns)
        state.withLock { $0.isOver = true }
        process.send(SIGKILL)
    }

    /// Asks the gateway something; `nil` where the gateway was ended and gave no answer.
    ///
    /// - Throws: what `ask` throws, where the gateway was not ended.
    func asking<Answer: Sendable>(
        _ event: KillPlan.Event,
        _ ask: () async throws -> Answer
    ) async throws -> Answer? {
        await note(.request)
        let isLate = isOver
        do {
            let answer = try await ask()
            await note(event)
            if event != .answer { await note(.answer) }
            return answer
        } catch {
            guard isOver else { throw error }
            if !isLate { state.withLock { $0.unanswered += 1 } }
            return nil
        }
    }
}
