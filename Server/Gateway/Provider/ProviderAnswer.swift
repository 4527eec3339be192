internal import Foundation
internal import HTTP2Sessions
internal import NIOCore
internal import WaypostSchema

/// What a provider is answered.
struct ProviderAnswer: Sendable, Equatable {
    /// What became of the request.
    enum Outcome: Sendable, Equatable {
        /// It is accepted; who asks the delivery log may call it by this name too.
        case accepted(uniqueID: String)

        /// It is done, and there is more to say than that.
        case done(HTTP2Response)

        /// It is refused.
        case refused(ProviderRefusal)
    }

    /// What became of the request.
    var outcome: Outcome

    /// The `apns-id`: as it was sent, byte for byte, or one that was made.
    var id: String

    /// What that is called: requests about channels have an `apns-request-id`.
    var idName = "apns-id"

    /// What is unusual about it.
    var findings: [NotificationFinding] = []

    /// Whether the answer may have a body, which one to a `HEAD` may not.
    var hasBody = true

    /// Whether the request is accepted.
    var isAccepted: Bool {
        if case .refused = outcome { false } else { true }
    }

    /// The answer as it is sent ("Handling notification responses from APNs"); what begins with `waypost-` is ours.
    var response: HTTP2Response {
        var fields: [HTTP2Field] = []
        var body: [UInt8] = []
        var status = 200
        switch outcome {
        case .accepted(let uniqueID):
            fields = [field(idName, id), field("apns-unique-id", uniqueID)]
        case .done(let response):
            status = response.status
            fields = [field(idName, id)] + response.fields.map { field($0.name, $0.value) }
            if hasBody { body = response.body }
        case .refused(let refusal):
            status = refusal.status
            if hasBody { body = Body(reason: refusal.reason, timestamp: refusal.timestamp).bytes }
            fields = [
                HTTP2Field("content-type", "application/json"), field(idName, id),
                field("waypost-message", refusal.message),
            ]
        }
        if !findings.isEmpty {
            // Each kind once: a header is short.
            var codes: [String] = []
            for finding in findings where !codes.contains(finding.code.rawValue) { codes.append(finding.code.rawValue) }
            fields.append(field("waypost-findings", codes.joined(separator: ", ")))
        }
        return HTTP2Response(status: status, fields: fields, body: body)
    }

    /// The body of a refusal.
    private struct Body: Encodable {
        var reason: RejectionReason
        var timestamp: Timestamp?

        var bytes: [UInt8] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            // Nothing in it cannot be encoded.
            return (try? encoder.encode(self)).map(Array.init) ?? Array("{}".utf8)
        }
    }

    /// A field that is not said again; what a field's value cannot have in it is a question mark (RFC 9110, section 5.5).
    private func field(_ name: String, _ value: String) -> HTTP2Field {
        let isPlain = value.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        guard !isPlain else { return HTTP2Field(name, value, isRepeated: false) }
        let plain = value.unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? Character($0) : "?" }
        return HTTP2Field(name, String(plain), isRepeated: false)
    }
}

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
    func modified(by fault: SendFault?) -> Self {
        guard let fault, case .answer(let answer) = action else { return self }
        var reply = self
        if fault.kind == .delay { reply.delay = .milliseconds(Int64(fault.milliseconds ?? 0)) }
        if fault.kind == .throttle, !answer.isAccepted { reply.streams = fault.streams ?? 1 }
        return reply
    }
}
