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
    private let plannedStop: @Sendable () -> TransactionStop?
    private let state = Mutex(State())

    /// Creates the connection between two sockets.
    ///
    /// - Parameters:
    ///   - client: the socket of the client.
    ///   - server: the socket of the server.
    ///   - takeCut: called when the client commits; returns the cut for this connection, if any.
    ///   - noteCut: called when the cut has happened.
    ///   - plannedStop: called at the end of each pipeline in a transaction; returns the plan to stop the client, if any.
    init(
        client: LoopbackSocket,
        server: LoopbackSocket,
        takeCut: @escaping @Sendable () -> CommitCut?,
        noteCut: @escaping @Sendable () -> Void,
        plannedStop: @escaping @Sendable () -> TransactionStop?
    ) {
        self.client = client
        self.server = server
        self.takeCut = takeCut
        self.noteCut = noteCut
        self.plannedStop = plannedStop
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
                if finding == .endInTransaction { stopIfPlanned(&requests) }
                requests += message.bytes
                if case .after(let waitsForAnswer) = cut { watch.cutAfterPipeline(waitsForAnswer) }
                if let waitsForAnswer = watch.dueCut { return cutAfter(requests, waitsForAnswer) }
            }
            guard server.write(requests) else { break }
        }
        sever()
    }

    /// Stops the client if that is planned; the server may get what it has sent, but for the end of the pipeline.
    private func stopIfPlanned(_ requests: inout [UInt8]) {
        guard let stop = plannedStop(), stop.stopIfDue(), stop.moment == .withinPipeline else { return }
        _ = server.write(requests)
        requests = []
        stop.waitUntilContinued()
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
        case begin
        case commit
        case rollBack

        /// The pipeline ends while a transaction is open.
        case endInTransaction

        /// Creates the finding of a statement.
        init?(_ sql: String) {
            let words = sql.uppercased().trimmingCharacters(in: CharacterSet(charactersIn: "; \n"))
            switch words {
            case "BEGIN": self = .begin
            case "COMMIT", "END": self = .commit
            case "ROLLBACK": self = .rollBack
            case _ where words.hasPrefix("LISTEN"): self = .listen
            default: return nil
            }
        }
    }

    private var prepared: [String: Finding] = [:]
    private var waitsForAnswer: Bool?
    private var isPipelineComplete = false
    private var isInTransaction = false

    /// Notes a message, and returns what it is, if that is watched for.
    ///
    /// A prepared statement is found when it is executed; `LISTEN` is found when it is prepared.
    mutating func note(_ content: ClientMessages.Content) -> Finding? {
        isPipelineComplete = false
        switch content {
        case .parse(let name, let sql):
            prepared[name] = Finding(sql)
            return prepared[name] == .listen ? .listen : nil
        case .bind(let statement): return recordExecution(prepared[statement])
        case .query(let sql):
            isPipelineComplete = true
            return recordExecution(Finding(sql))
        case .sync:
            isPipelineComplete = true
            return isInTransaction ? .endInTransaction : nil
        case .other: return nil
        }
    }

    private mutating func recordExecution(_ finding: Finding?) -> Finding? {
        switch finding {
        case .begin: isInTransaction = true
        case .commit, .rollBack: isInTransaction = false
        default: break
        }
        return finding
    }

    /// Plans the cut at the end of the pipeline.
    mutating func cutAfterPipeline(_ waitsForAnswer: Bool) {
        self.waitsForAnswer = waitsForAnswer
    }

    /// The cut that is due now: whether it waits for the answer.
    var dueCut: Bool? {
        isPipelineComplete ? waitsForAnswer : nil
    }
}
