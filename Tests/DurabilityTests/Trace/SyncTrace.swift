import Foundation
import WaypostSchema

/// The check of a gateway's guarantee in a trace: a batch or acknowledgement is answered with 200 only after it is on
/// disk.
struct SyncTrace {
    /// The numbers of batches and acknowledgements that were answered with 200.
    private(set) var (batches, acknowledgements): (Int, Int) = (0, 0)

    /// The answers that were sent too early.
    private(set) var findings: [String] = []

    private let commits: CommitTrace

    /// Checks the calls of a trace, which are in the order in which they began.
    init(_ calls: [SystemCall]) {
        commits = CommitTrace(calls)
        for exchange in TracedExchange.exchanges(in: calls) where exchange.isDone { check(exchange) }
    }

    private mutating func check(_ exchange: TracedExchange) {
        switch exchange.kind {
        case .batch:
            batches += 1
            guard let id = exchange.answered(BatchReceipt.self)?.id.rawValue else {
                findings.append("line \(exchange.answerBegin): an invalid receipt")
                return
            }
            guard let durable = commits.commit(of: id)?.durable, durable < exchange.answerBegin else {
                findings.append("line \(exchange.answerBegin): batch \(id) was answered before its commit was synced")
                return
            }
        case .acknowledgement:
            // An acknowledgement that removes nothing from an inbox commits nothing.
            guard exchange.answered(AcknowledgementReceipt.self)?.acknowledged != 0 else { return }
            acknowledgements += 1
            if !commits.hasCommit(after: exchange.requestEnd, durableBefore: exchange.answerBegin) {
                findings.append("line \(exchange.answerBegin): an acknowledgement was answered before it was synced")
            }
        }
    }
}

/// A request and its answer on a socket.
struct TracedExchange {
    /// The kind of request.
    enum Kind: CaseIterable {
        case batch
        case acknowledgement

        /// The first bytes of the request.
        var start: String {
            switch self {
            case .batch: "POST /v1/batches"
            case .acknowledgement: "POST /v1/acks"
            }
        }
    }

    let kind: Kind

    /// The line on which the first bytes of the request were read, and the line on which the writing of the answer
    /// began.
    let requestEnd: Int
    private(set) var answerBegin = Int.max

    private var answer: [UInt8] = []

    private init(_ kind: Kind, requestEnd: Int) {
        (self.kind, self.requestEnd) = (kind, requestEnd)
    }

    /// Returns the exchanges of a trace.
    ///
    /// Those on one socket follow one another.
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

    /// Whether the status of the answer is 200.
    var isDone: Bool {
        answer.starts(with: "HTTP/1.1 200".utf8)
    }

    /// Decodes the answer's body.
    ///
    /// Returns `nil` if it is not such a value.
    func answered<Value: Decodable>(_ type: Value.Type) -> Value? {
        guard let start = answer.firstIndex(of: UInt8(ascii: "{")),
            let end = answer.lastIndex(of: UInt8(ascii: "}"))
        else { return nil }
        return try? JSONDecoder().decode(type, from: Data(answer[start...end]))
    }
}
