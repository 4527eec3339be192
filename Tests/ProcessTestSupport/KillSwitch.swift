package import AsyncHTTPClient
import Foundation
import Synchronization
import WaypostTestSupport

/// The time at which one gateway process is killed.
package struct KillPlan: Sendable {
    /// The kind of event that is counted.
    package enum Event: CaseIterable, Sendable {
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
    package var event: Event

    /// The number of these events before the kill.
    package var count: Int

    /// The number of event loop turns between the last event and the kill, so that the kill hits any stage of the
    /// outstanding work.
    package var turns: Int

    /// Creates a random plan.
    package init(using generator: inout some RandomNumberGenerator) {
        event = Event.allCases.randomElement(using: &generator) ?? .answer
        count = .random(in: event == .acknowledgement ? 1...10 : 3...30, using: &generator)
        turns = Bool.random(using: &generator) ? 0 : .random(in: 0...600, using: &generator)
    }
}

/// Kills a gateway with SIGKILL according to its plan, and counts the requests that were outstanding at that time.
package final class KillSwitch: Sendable {
    private struct State {
        var count = 0
        var isOver = false
        var unanswered = 0
    }

    private let process: ChildProcess
    private let plan: KillPlan?
    private let http: HTTPClient
    private let endsByItself: Bool
    private let state = Mutex(State())

    /// Creates a switch for a gateway.
    ///
    /// - Parameters:
    ///   - process: The process of the gateway.
    ///   - plan: The time of the kill; without one, the switch never kills the gateway.
    ///   - http: The client whose event loops count the time.
    ///   - endsByItself: Whether another program kills the gateway, too.
    package init(_ process: ChildProcess, _ plan: KillPlan?, _ http: HTTPClient, endsByItself: Bool = false) {
        self.process = process
        self.plan = plan
        self.http = http
        self.endsByItself = endsByItself
    }

    /// Whether the gateway was killed.
    package var isOver: Bool {
        state.withLock { $0.isOver } || (endsByItself && process.hasEnded)
    }

    /// Kills the gateway.
    package func kill() {
        state.withLock { $0.isOver = true }
        // Its identifier may belong to another process afterwards.
        if !process.hasEnded { process.send(SIGKILL) }
    }

    /// The number of requests that began before the kill and never got an answer.
    package var unanswered: Int {
        state.withLock { $0.unanswered }
    }

    /// Counts an event.
    ///
    /// If it is the last one of the plan, kills the gateway before returning.
    package func note(_ event: KillPlan.Event) async {
        guard let plan, plan.event == event else { return }
        let isLast = state.withLock { state in
            state.count += 1
            return state.count == plan.count
        }
        guard isLast else { return }
        await http.turn(plan.turns)
        kill()
    }

    /// Sends a request to the gateway.
    ///
    /// Returns `nil` if the gateway was killed and did not answer.
    ///
    /// - Throws: The error of `ask` if the gateway was not killed.
    package func asking<Answer: Sendable>(
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
            guard await isEnding() else { throw error }
            if !isLate { state.withLock { $0.unanswered += 1 } }
            return nil
        }
    }

    /// Returns whether the gateway was killed, also if a request failed a moment before its process ended.
    package func isEnding() async -> Bool {
        guard !isOver, endsByItself else { return isOver }
        try? await waitUntil("the gateway has ended", within: .seconds(2)) { process.hasEnded }
        return isOver
    }
}
