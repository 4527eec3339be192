import AsyncHTTPClient
import Foundation
import ProcessTestSupport
import Synchronization

/// The time at which one gateway process is killed.
struct KillPlan: Sendable {
    /// The kind of event that is counted.
    enum Event: CaseIterable, Sendable {
        /// A request begins.
        case request

        /// A piece of a batch's body is about to be sent.
        case piece

        /// An answer has arrived.
        case answer

        /// The answer to an acknowledgement has arrived.
        case acknowledgement
    }

    /// The event that is counted.
    var event: Event

    /// The number of these events before the kill.
    var count: Int

    /// The number of event loop turns between the last event and the kill, so that the kill hits any stage of the
    /// outstanding work.
    var turns: Int

    /// Creates a random plan.
    init(using generator: inout some RandomNumberGenerator) {
        event = Event.allCases.randomElement(using: &generator) ?? .answer
        count = .random(in: event == .acknowledgement ? 1...10 : 3...30, using: &generator)
        turns = Bool.random(using: &generator) ? 0 : .random(in: 0...600, using: &generator)
    }
}

/// Kills a gateway with SIGKILL according to its plan, and counts the requests that were outstanding at that time.
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

    /// Creates a switch for a gateway.
    ///
    /// Without a plan, it never kills the gateway.
    init(_ process: ChildProcess, _ plan: KillPlan?, _ http: HTTPClient) {
        self.process = process
        self.plan = plan
        self.http = http
    }

    /// Whether the gateway was killed.
    var isOver: Bool {
        state.withLock { $0.isOver }
    }

    /// The number of requests that began before the kill and never got an answer.
    var unanswered: Int {
        state.withLock { $0.unanswered }
    }

    /// Counts an event.
    ///
    /// If it is the last one of the plan, kills the gateway before returning.
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

    /// Sends a request to the gateway.
    ///
    /// Returns `nil` if the gateway was killed and did not answer.
    ///
    /// - Throws: The error of `ask` if the gateway was not killed.
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
