internal import NIOCore
internal import WaypostSchema

/// What is done about a request of a provider; that it is not just answered was asked for (`SendFault`).
struct ProviderReply: Sendable, Equatable {
    /// What is done.
    enum Action: Sendable, Equatable {
        /// The request is answered.
        case answer(ProviderAnswer)

        /// The request is never answered.
        case nothing

        /// Its stream is reset; over HTTP/1.1, its connection.
        case reset

        /// Its connection ends, with so many GOAWAY frames that give the reason.
        case goAway(RejectionReason, frames: Int)
    }

    /// What is done.
    var action: Action

    /// How long it waits.
    var delay = TimeAmount.zero

    /// How many streams the connection has from then on; `nil` for as many as it has.
    var streams: Int?

    /// Creates the reply that answers at once.
    init(_ answer: ProviderAnswer) {
        action = .answer(answer)
    }

    /// Creates the reply that does something else.
    init(_ action: Action) {
        self.action = action
    }

    /// Returns this reply, gone wrong in the way that leaves an answer.
    func spoiled(by fault: SendFault?) -> Self {
        guard let fault, case .answer(let answer) = action else { return self }
        var reply = self
        if fault.kind == .delay { reply.delay = .milliseconds(Int64(fault.milliseconds ?? 0)) }
        if fault.kind == .throttle, !answer.isAccepted { reply.streams = fault.streams ?? 1 }
        return reply
    }
}
