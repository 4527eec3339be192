internal import HTTP2Sessions
internal import LocalService
internal import NIOCore
internal import PushRules
internal import WaypostSchema

/// The response to a provider's request.
struct ProviderResponse: Sendable, Equatable {
    /// The result of a request.
    enum Outcome: Sendable, Equatable {
        /// The request is accepted; the delivery log can be queried by `uniqueID`, too.
        case accepted(uniqueID: String)

        /// The request is completed, and has a response of its own.
        case done(HTTP2Response)

        /// The request is refused.
        case refused(ProviderRefusal)
    }

    /// The result of the request.
    var outcome: Outcome

    /// The `apns-id`: the sender's, byte for byte, or a generated one.
    var id: String

    /// The name of the header with the identifier: requests about channels have an `apns-request-id`.
    var idName = "apns-id"

    /// The environment of the request; `nil` if it has none.
    var environment: PushEnvironment?

    /// The unusual things about the request, without notes: those are in the delivery log.
    var findings: [NotificationFinding] = []

    /// Whether the response may have a body; the response to a `HEAD` request may not.
    var hasBody = true

    /// The device of the request, for the report about the sender.
    var target = SendTarget()

    /// Creates the response from its parts.
    init(
        outcome: Outcome,
        id: String,
        idName: String = "apns-id",
        environment: PushEnvironment? = nil,
        findings: [NotificationFinding] = [],
        hasBody: Bool = true,
        target: SendTarget = SendTarget()
    ) {
        self.outcome = outcome
        self.id = id
        self.idName = idName
        self.environment = environment
        self.findings = findings.filter { $0.severity != .note }
        self.hasBody = hasBody
        self.target = target
    }

    /// The status of the response.
    var status: Int {
        switch outcome {
        case .accepted: 200
        case .done(let response): response.status
        case .refused(let refusal): refusal.status
        }
    }

    /// Whether the request is accepted.
    var isAccepted: Bool {
        if case .refused = outcome { false } else { true }
    }

    /// The response as it is sent ("Handling notification responses from APNs"); headers that begin with `waypost-` are
    /// the gateway's own.
    var http2Response: HTTP2Response {
        var fields: [HTTP2Field] = []
        var body: [UInt8] = []
        switch outcome {
        case .accepted(let uniqueID):
            // Apple documents the second identifier for the sandbox only.
            let uniqueFields = environment == .production ? [] : [field("apns-unique-id", uniqueID)]
            fields = [field(idName, id)] + uniqueFields + findingSentences
        case .done(let response):
            fields = [field(idName, id)] + response.fields.map { field($0.name, $0.value) }
            if hasBody { body = response.body }
        case .refused(let refusal):
            if let reason = refusal.reason {
                if hasBody { body = HTTP2Response.json(Body(reason: reason, timestamp: refusal.timestamp)).body }
                fields = [HTTP2Field("content-type", "application/json")]
            }
            fields += [field(idName, id), field("waypost-message", refusal.message)]
        }
        if !findings.isEmpty {
            // Each code once, to keep the header short.
            var codes: [String] = []
            for finding in findings where !codes.contains(finding.code.rawValue) { codes.append(finding.code.rawValue) }
            fields.append(field("waypost-findings", codes.joined(separator: ", ")))
        }
        return HTTP2Response(status: status, fields: fields, body: body)
    }

    /// The header with the sentences of the findings, if there are any; a refusal has its own.
    private var findingSentences: [HTTP2Field] {
        guard !findings.isEmpty else { return [] }
        let sentences = findings.map { "\($0.severity.rawValue): \($0.message)" }.joined(separator: "; ")
        return [field("waypost-message", String(sentences.prefix(Self.maximumMessageLength)))]
    }

    /// The maximum number of characters of the sentences.
    private static let maximumMessageLength = 1_000

    /// The body of a refusal.
    private struct Body: Encodable {
        var reason: RejectionReason
        var timestamp: Timestamp?
    }

    /// Returns a field that is not indexed; invalid characters of its value become question marks (RFC 9110, section
    /// 5.5).
    private func field(_ name: String, _ value: String) -> HTTP2Field {
        let isPlain = value.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        guard !isPlain else { return HTTP2Field(name, value, isIndexed: false) }
        let plain = value.unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? Character($0) : "?" }
        return HTTP2Field(name, String(plain), isIndexed: false)
    }
}

/// The action for a provider's request; an action other than a response comes from an injected fault (`SendFault`).
struct ProviderReply: Sendable, Equatable {
    /// The action.
    enum Action: Sendable, Equatable {
        /// The request gets a response.
        case respond(ProviderResponse)

        /// The request never gets a response.
        case nothing

        /// The request's stream is reset; with HTTP/1.1, its connection.
        case reset

        /// The connection ends, with `frames` GOAWAY frames that contain the reason.
        case goAway(RejectionReason, frames: Int)
    }

    /// The action.
    var action: Action

    /// The delay before the action.
    var delay = TimeAmount.zero

    /// The maximum number of streams that the connection has from then on, or `nil` for no change.
    var streamLimit: Int?

    /// The number of the request whose delayed response is recorded when it is sent (`SenderRecorder`); `nil` if the
    /// response is recorded already, or never.
    var delayedRequestNumber: Int?

    /// Creates a reply that responds at once, or after a time.
    init(_ response: ProviderResponse, after delay: TimeAmount = .zero) {
        action = .respond(response)
        self.delay = delay
    }

    /// Creates a reply with an action.
    init(_ action: Action) {
        self.action = action
    }

    /// Returns the reply with a fault applied, if the fault only delays or throttles a response.
    func modified(by fault: SendFault?) -> Self {
        guard let fault, case .respond(let response) = action else { return self }
        var reply = self
        if fault.kind == .delay { reply.delay = .milliseconds(Int64(fault.milliseconds ?? 0)) }
        if fault.kind == .throttle, !response.isAccepted { reply.streamLimit = fault.streams ?? 1 }
        return reply
    }
}

extension HTTP2Response {
    /// Returns a response with a JSON body.
    static func json(_ body: some Encodable, status: Int = 200, _ fields: [HTTP2Field] = []) -> Self {
        // Encoding cannot fail for these types.
        let bytes = (try? JSONText.data(body)).map(Array.init) ?? Array("{}".utf8)
        return Self(status: status, fields: fields + [HTTP2Field("content-type", "application/json")], body: bytes)
    }
}
