internal import Foundation
internal import JSONScanning
internal import Subprocess
internal import Synchronization
internal import Testing
internal import WaypostSchema

/// The lines to and from an agent: steps, and their answers.
final class StepChannel: Sendable {
    /// An answer of the agent.
    struct Answer: Decodable, Sendable {
        /// A difference between an expected value and the actual one.
        struct Difference: Decodable, Sendable {
            var field: String
            var expected: String
            var actual: String
        }

        /// A device of the agent.
        struct Registration: Decodable, Sendable {
            var name: String
            var token: DeviceToken
        }

        /// The outcomes of a step.
        enum Outcome: String, Decodable, Sendable {
            case passed
            case failed
            case refused
        }

        var id: Int?
        var outcome: Outcome?
        var actual: JSONValue?
        var answer: JSONValue?
        var message: String?
        var differences: [Difference]?
        var explanation: String?

        /// The devices, in the first line that the agent writes.
        var devices: [Registration]?
    }

    private struct State {
        var last = 0
        var waiting: [Int: CheckedContinuation<Answer, any Error>] = [:]

        /// The answers for which nobody waits yet.
        var arrived: [Int: Answer] = [:]

        var end: WaypostError?
    }

    private let writer: StandardInputWriter
    private let state = Mutex(State())

    init(_ writer: StandardInputWriter) {
        self.writer = writer
    }

    /// Waits until the devices are connected.
    ///
    /// - Returns: the devices, in the order of the agent's options.
    func devices() async throws -> [Answer.Registration] {
        try await waitForAnswer(Self.ready).devices ?? []
    }

    /// The identifier under which the first line of the agent is kept.
    private static let ready = 0

    /// Writes a step, and waits for its answer.
    ///
    /// - Throws: `WaypostError.ended` if the agent ends, `WaypostError.refused` if the line is no step.
    func answer(to step: [String: JSONValue], at location: SourceLocation) async throws -> Answer {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        let line = try JSONEncoder().encode(step.merging(["id": .integer(id)]) { own, _ in own })
        _ = try await writer.write(Array(line) + [UInt8(ascii: "\n")])
        let received = try await waitForAnswer(id)
        guard received.outcome != .refused else { throw WaypostError.refused(received.message ?? "", at: location) }
        return received
    }

    private func waitForAnswer(_ id: Int) async throws -> Answer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let earlierAnswer = state.withLock { state -> Result<Answer, any Error>? in
                    if let answer = state.arrived.removeValue(forKey: id) { return .success(answer) }
                    if let end = state.end { return .failure(end) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiting[id] = continuation
                    return nil
                }
                if let earlierAnswer { continuation.resume(with: earlierAnswer) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
        }
    }

    /// Takes an answer of the agent; any other line is an event and is ignored.
    func receive(_ line: String) throws {
        let answer = try DocumentDecoder.decode(Answer.self, fromWaypost: line.utf8)
        guard let id = answer.devices == nil ? answer.id : Self.ready else { return }
        let continuation = state.withLock { state in
            let waiting = state.waiting.removeValue(forKey: id)
            if waiting == nil { state.arrived[id] = answer }
            return waiting
        }
        continuation?.resume(returning: answer)
    }

    /// Ends all waits, because the agent has ended.
    func end(_ error: WaypostError) {
        let waiting = state.withLock { state in
            state.end = error
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(throwing: error) }
    }
}
