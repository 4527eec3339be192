import Foundation
import Synchronization

/// A connection of a client to PostgreSQL through a proxy; two threads forward the bytes of the two directions.
final class ProxiedConnection: Sendable {
    /// The treatment of what the server sends.
    private enum Answers {
        case forwarded

        /// The client is gone, and the server does not notice.
        case discarded

        /// The first answer ends the connection, and is not forwarded.
        case endConnection
    }

    private struct State {
        var answers = Answers.forwarded
        var isListening = false
        var threads = 2
    }

    private let client: LoopbackSocket
    private let server: LoopbackSocket
    private let takeCut: @Sendable () -> CommitCut?
    private let noteCut: @Sendable () -> Void
    private let state = Mutex(State())

    /// Creates the connection between two sockets.
    ///
    /// - Parameters:
    ///   - client: the socket of the client.
    ///   - server: the socket of the server.
    ///   - takeCut: called when the client commits; returns the cut for this connection, if any.
    ///   - noteCut: called when the cut has happened.
    init(
        client: LoopbackSocket,
        server: LoopbackSocket,
        takeCut: @escaping @Sendable () -> CommitCut?,
        noteCut: @escaping @Sendable () -> Void
    ) {
        self.client = client
        self.server = server
        self.takeCut = takeCut
        self.noteCut = noteCut
    }

    /// Whether the client has sent `LISTEN`.
    var isListening: Bool {
        state.withLock(\.isListening)
    }

    /// Forwards until the connection ends, and calls `onEnd` then.
    func start(onEnd: @escaping @Sendable () -> Void) {
        for forward in [forwardRequests, forwardAnswers] {
            Thread.detachNewThread { [self] in
                forward()
                let isLast = state.withLock { state in
                    state.threads -= 1
                    return state.threads == 0
                }
                if isLast { onEnd() }
            }
        }
    }

    /// Ends the connection on both sides.
    @Sendable func sever() {
        client.shutDown()
        server.shutDown()
    }

    @Sendable private func forwardRequests() {
        var messages = ClientMessages()
        var watch = StatementWatch()
        while let piece = client.read() {
            var requests: [UInt8] = []
            for message in messages.append(piece) {
                let finding = watch.note(message.content)
                if finding == .listen { state.withLock { $0.isListening = true } }
                let cut = finding == .commit ? takeCut() : nil
                if case .before(let serverNotices) = cut { return cutBefore(serverNotices) }
                requests += message.bytes
                if case .after(let waitsForAnswer) = cut { watch.cutAfterPipeline(waitsForAnswer) }
                if let waitsForAnswer = watch.dueCut { return cutAfter(requests, waitsForAnswer) }
            }
            guard server.write(requests) else { break }
        }
        sever()
    }

    private func cutBefore(_ serverNotices: Bool) {
        state.withLock { $0.answers = .discarded }
        client.shutDown()
        if serverNotices { server.shutDown() }
        noteCut()
    }

    private func cutAfter(_ requests: [UInt8], _ waitsForAnswer: Bool) {
        state.withLock { $0.answers = .endConnection }
        _ = server.write(requests)
        if !waitsForAnswer { client.shutDown() }
        noteCut()
    }

    @Sendable private func forwardAnswers() {
        while let piece = server.read() {
            switch state.withLock(\.answers) {
            case .forwarded: guard client.write(piece) else { return sever() }
            case .discarded: continue
            case .endConnection: return sever()
            }
        }
        sever()
    }
}

/// The statements of a connection that a proxy watches for.
private struct StatementWatch {
    enum Finding {
        case listen
        case commit
    }

    private var commits: Set<String> = []
    private var waitsForAnswer: Bool?
    private var isPipelineComplete = false

    /// Notes a message, and returns the watched statement that it is, if any.
    ///
    /// A prepared statement is found when it is executed; `LISTEN` is found when it is prepared.
    mutating func note(_ content: ClientMessages.Content) -> Finding? {
        isPipelineComplete = false
        switch content {
        case .parse(let name, let sql):
            if Self.isCommit(sql) { commits.insert(name) } else { commits.remove(name) }
            return Self.isListen(sql) ? .listen : nil
        case .bind(let statement): return commits.contains(statement) ? .commit : nil
        case .query(let sql):
            isPipelineComplete = true
            return Self.isListen(sql) ? .listen : Self.isCommit(sql) ? .commit : nil
        case .sync:
            isPipelineComplete = true
            return nil
        case .other: return nil
        }
    }

    /// Plans the cut at the end of the pipeline.
    mutating func cutAfterPipeline(_ waitsForAnswer: Bool) {
        self.waitsForAnswer = waitsForAnswer
    }

    /// The cut that is due now: whether it waits for the answer.
    var dueCut: Bool? {
        isPipelineComplete ? waitsForAnswer : nil
    }

    private static func isCommit(_ sql: String) -> Bool {
        ["COMMIT", "END"].contains(sql.uppercased().trimmingCharacters(in: CharacterSet(charactersIn: "; \n")))
    }

    private static func isListen(_ sql: String) -> Bool {
        sql.uppercased().hasPrefix("LISTEN")
    }
}
