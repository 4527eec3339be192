import Foundation
import WaypostSchema

/// What a trace of a gateway says about its promise: no batch and no acknowledgement is answered with 200 before the
/// disk has it.
struct SyncTrace {
    /// The batches and acknowledgements that were answered with 200.
    private(set) var (batches, acknowledgements): (Int, Int) = (0, 0)

    /// The answers that came too early.
    private(set) var findings: [String] = []

    private let commits: CommitTrace

    /// Reads the calls of a trace, in the order in which they began.
    init(_ calls: [SystemCall]) {
        commits = CommitTrace(calls)
        for exchange in TracedExchange.exchanges(in: calls) where exchange.isDone { check(exchange) }
    }

    private mutating func check(_ exchange: TracedExchange) {
        switch exchange.kind {
        case .batch:
            batches += 1
            guard let id = exchange.answered(BatchReceipt.self)?.id.rawValue else {
                findings.append("line \(exchange.answerBegin): a receipt that cannot be read")
                return
            }
            guard let durable = commits.commit(of: id)?.durable, durable < exchange.answerBegin else {
                findings.append("line \(exchange.answerBegin): batch \(id) is answered before its commit is synced")
                return
            }
        case .acknowledgement:
            // One that takes nothing out of an inbox has nothing to commit.
            guard exchange.answered(AcknowledgementReceipt.self)?.acknowledged != 0 else { return }
            acknowledgements += 1
            if !commits.hasCommit(after: exchange.requestEnd, durableBefore: exchange.answerBegin) {
                findings.append("line \(exchange.answerBegin): an acknowledgement is answered before it is synced")
            }
        }
    }
}

/// A request and its answer, as they went over a socket.
struct TracedExchange {
    /// What was asked.
    enum Kind: CaseIterable {
        case batch
        case acknowledgement

        /// How a request begins.
        var start: String {
            switch self {
            case .batch: "POST /v1/batches"
            case .acknowledgement: "POST /v1/acks"
            }
        }
    }

    let kind: Kind

    /// The line on which the first bytes of the request were read, and the one on which writing the answer began.
    let requestEnd: Int
    private(set) var answerBegin = Int.max

    private var answer: [UInt8] = []

    private init(_ kind: Kind, requestEnd: Int) {
        (self.kind, self.requestEnd) = (kind, requestEnd)
    }

    /// Returns the exchanges of a trace; on a socket they follow one another.
    static func exchanges(in calls: [SystemCall]) -> [Self] {
        var open: [String: Self] = [:]
        var done: [Self] = []
        for call in calls where call.file.hasPrefix("socket:") {
            if call.name == "read" || call.name == "recvfrom" {
                if let exchange = open[call.file], !exchange.answer.isEmpty {
                    done.append(exchange)
                    open[call.file] = nil
                }
                guard let kind = Kind.allCases.first(where: { call.bytes.starts(with: $0.start.utf8) }) else {
                    continue
                }
                open[call.file] = Self(kind, requestEnd: call.end)
            } else {
                open[call.file]?.append(call)
            }
        }
        return done + open.values
    }

    private mutating func append(_ write: SystemCall) {
        answerBegin = min(answerBegin, write.begin)
        answer += write.bytes
    }

    /// Whether the answer is 200.
    var isDone: Bool {
        answer.starts(with: "HTTP/1.1 200".utf8)
    }

    /// The answer's body.
    func answered<Value: Decodable>(_ type: Value.Type) -> Value? {
        guard let start = answer.firstIndex(of: UInt8(ascii: "{")),
            let end = answer.lastIndex(of: UInt8(ascii: "}"))
        else { return nil }
        return try? JSONDecoder().decode(type, from: Data(answer[start...end]))
    }
}
