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
        var callbacks: String?
        var warning: String?

        /// The devices, in the first line that the agent writes.
        var devices: [Registration]?

        /// A file that the agent requests.
        var file: String?
    }

    /// The content of a file that the agent has requested, or the reason why it has none.
    private struct FileAnswer: Encodable {
        var file: String
        var text: String?
        var problem: String?
    }

    private struct State {
        var lastID = 0
        var continuations: [Int: CheckedContinuation<Answer, any Error>] = [:]

        /// The answers that arrived before a caller waited for them.
        var earlyAnswers: [Int: Answer] = [:]

        var end: WaypostError?

        /// The files and steps that were sent, with the folders to which their paths are relative.
        var sentTexts: [(folder: String, text: String)] = []
    }

    private let writer: StandardInputWriter
    private let deviceFiles: [String]
    private let state = Mutex(State())

    /// Creates a channel to an agent.
    ///
    /// - Parameters:
    ///   - writer: writes to the agent.
    ///   - deviceFiles: the paths of the device files.
    init(_ writer: StandardInputWriter, deviceFiles: [String]) {
        self.writer = writer
        self.deviceFiles = deviceFiles
    }

    /// Waits until the devices are connected.
    ///
    /// - Returns: the devices, in the order of the agent's options.
    func devices() async throws -> [Answer.Registration] {
        try await waitForAnswer(Self.readyID).devices ?? []
    }

    /// The identifier of the first line of the agent, which has none of its own.
    private static let readyID = 0

    /// Writes a step, and waits for its answer.
    ///
    /// - Throws: `WaypostError.ended` if the agent ends, `WaypostError.refused` if the line is no step.
    func answer(to step: [String: JSONValue], at location: SourceLocation) async throws -> Answer {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let line = try encoder.encode(step.merging(["id": .integer(id)]) { stepValue, _ in stepValue })
        let folder = FileManager.default.currentDirectoryPath
        state.withLock { $0.sentTexts.append((folder, String(decoding: line, as: UTF8.self))) }
        try await write(line)
        let answer = try await waitForAnswer(id)
        if let warning = answer.warning {
            let place = "\(location.fileID):\(location.line)"
            try? FileHandle.standardError.write(contentsOf: Data("\(place): warning: \(warning)\n".utf8))
        }
        guard answer.outcome != .refused else { throw WaypostError.refused(answer.message ?? "", at: location) }
        return answer
    }

    private func write(_ line: Data) async throws {
        _ = try await writer.write(Array(line) + [UInt8(ascii: "\n")])
    }

    private func waitForAnswer(_ id: Int) async throws -> Answer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let earlyResult = state.withLock { state -> Result<Answer, any Error>? in
                    if let answer = state.earlyAnswers.removeValue(forKey: id) { return .success(answer) }
                    if let end = state.end { return .failure(end) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.continuations[id] = continuation
                    return nil
                }
                if let earlyResult { continuation.resume(with: earlyResult) }
            }
        } onCancel: {
            state.withLock { $0.continuations.removeValue(forKey: id) }?.resume(throwing: CancellationError())
        }
    }

    /// Takes an answer of the agent, or its request of a file; any other line is an event and is ignored.
    func receive(_ line: String) async throws {
        let answer = try DocumentDecoder.decode(Answer.self, fromDeepJSON: line.utf8)
        if let file = answer.file { return try await write(JSONEncoder().encode(content(of: file))) }
        guard let id = answer.devices == nil ? answer.id : Self.readyID else { return }
        let continuation = state.withLock { state in
            let continuation = state.continuations.removeValue(forKey: id)
            if continuation == nil { state.earlyAnswers[id] = answer }
            return continuation
        }
        continuation?.resume(returning: answer)
    }

    /// Returns the content of a file that the agent requests: a device file, or one that a sent file or a step names.
    private func content(of file: String) -> FileAnswer {
        let url = URL(filePath: file).standardizedFileURL
        let isNamed = state.withLock { state in
            state.sentTexts.contains { $0.text.contains(url.path) || $0.text.contains(url.path(relativeTo: $0.folder)) }
        }
        guard isNamed || deviceFiles.contains(url.path) else {
            return FileAnswer(file: file, problem: "the test does not name it, so the agent does not get it")
        }
        do {
            let text = try String(contentsOfFile: url.path, encoding: .utf8)
            state.withLock { $0.sentTexts.append((url.deletingLastPathComponent().path, text)) }
            return FileAnswer(file: file, text: text)
        } catch {
            return FileAnswer(file: file, problem: "cannot be read: \(error.localizedDescription)")
        }
    }

    /// Ends all waits, because the agent has ended.
    func end(_ error: WaypostError) {
        let continuations = state.withLock { state in
            state.end = error
            defer { state.continuations = [:] }
            return state.continuations.values
        }
        for continuation in continuations { continuation.resume(throwing: error) }
    }
}

extension URL {
    /// Returns the path of the file from a folder, such as `../tv.json`.
    fileprivate func path(relativeTo folder: String) -> String {
        let folders = URL(filePath: folder).standardizedFileURL.pathComponents
        let common = zip(pathComponents, folders).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: folders.count - common)
        return (up + pathComponents.dropFirst(common)).joined(separator: "/")
    }
}
