internal import Deflate
internal import GatewayStore
internal import HTTP2Sessions
internal import JSONScanning
internal import NIOCore
internal import WaypostSchema

/// Validates one request of a provider by its headers and its body; what the registry says of its device comes after that.
struct ProviderRequestValidator {
    private let request: ProviderRequest
    private let isStrict: Bool

    private var token: DeviceToken?
    private var topic: Topic?
    private var pushType: PushType?
    private var priority: Int?
    private var expiration: Int?
    private var collapseID: CollapseIdentifier?
    private var id: NotificationID?
    private var payload: [UInt8] = []

    /// How many findings of a payload are told.
    static let mostFindings = 16

    /// What is unusual about it.
    private(set) var findings: [NotificationFinding] = []

    init(_ request: ProviderRequest, isStrict: Bool) {
        self.request = request
        self.isStrict = isStrict
    }

    /// Checks one thing after another; afterwards the store looks for the device.
    ///
    /// That APNs looks at the sender before it looks at the token has been seen; the rest of the order is not public, and
    /// chosen here (docs/provider-api.md).
    ///
    /// - Parameter authenticate: checks who sends the request.
    /// - Throws: `ProviderRefusal` for the first thing that is wrong.
    mutating func validate(authenticate: () throws(ProviderRefusal) -> Void) throws(ProviderRefusal) {
        try checkPath()
        try checkMethod()
        try authenticate()
        try request.checkRepetition()
        id = try request.identifier("apns-id")
        expiration = try request.expiration
        priority = try request.priority
        collapseID = try ProviderRequest.rules.collapseIdentifier(request["apns-collapse-id"])
        pushType = try checkPushType()
        topic = try checkTopic()
        token = try ProviderRequest.rules.token(String(request.tokenText ?? ""))
        payload = try checkPayload()
    }

    /// Returns the notification that the request is, once nothing is wrong with it.
    ///
    /// - Parameter makeID: makes an identifier where the sender gave none.
    /// - Returns: the notification.
    func notification(makeID: () -> NotificationID) -> NewNotification {
        NewNotification(
            id: id ?? makeID(),
            token: token ?? "",
            topic: topic ?? "",
            pushType: pushType ?? .alert,
            priority: priority ?? 10,
            expiration: expiration,
            collapseID: collapseID,
            payload: payload,
            findings: findings
        )
    }

    /// What the log is told of a request that is refused: as much of it as can be read.
    var subject: LogSubject {
        LogSubject(
            id: try? request.identifier("apns-id"),
            token: try? ProviderRequest.rules.token(String(request.tokenText ?? "")),
            topic: try? ProviderRequest.rules.topic(request["apns-topic"]),
            pushType: pushType,
            priority: priority,
            expiration: expiration,
            collapseID: collapseID,
            findings: findings
        )
    }

    /// Notes something unusual; a gateway that is strict refuses it.
    private mutating func note(_ code: NotificationFinding.Code, _ message: String) throws(ProviderRefusal) {
        guard !isStrict else { throw ProviderRefusal(code.strictReason, message) }
        findings.append(NotificationFinding(code: code, message: message))
    }
}

// MARK: The request line and the fields

extension ProviderRequestValidator {
    private func checkPath() throws(ProviderRefusal) {
        guard let token = request.tokenText, !token.contains(where: { "/?#".contains($0) }) else {
            throw ProviderRefusal(.badPath, "notifications go to /3/device/<token>")
        }
    }

    private func checkMethod() throws(ProviderRefusal) {
        guard request.method == "POST" else {
            throw ProviderRefusal(.methodNotAllowed, "'\(request.method)' is not accepted here, POST is")
        }
    }

    private mutating func checkPushType() throws(ProviderRefusal) -> PushType {
        guard let text = request["apns-push-type"] else {
            try note(.missingPushType, "there is no apns-push-type; it is taken for an alert")
            return .alert
        }
        let pushType = try ProviderRequest.rules.pushType(text)
        if pushType == .background, priority ?? 10 == 10 {
            try note(
                .backgroundPriority,
                "a background push has priority 5; APNs calls 10, which is also the default, an error"
            )
        }
        return pushType
    }

    private func checkTopic() throws(ProviderRefusal) -> Topic {
        let topic = try ProviderRequest.rules.topic(request["apns-topic"])
        do throws(ProviderRefusal) {
            try ProviderRequest.rules.checkSuffix(of: topic, for: pushType ?? .alert)
        } catch {
            throw isStrict ? ProviderRefusal(.badTopic, error.message) : error
        }
        return topic
    }
}

// MARK: The payload

extension ProviderRequestValidator {
    private mutating func checkPayload() throws(ProviderRefusal) -> [UInt8] {
        let pushType = pushType ?? .alert
        let body = try inflated()
        let (size, topic) = (request.isBodyTooLong ? nil : body.count, topic ?? "")
        try ProviderRequest.rules.checkSize(ofPayload: size, pushType, topic)
        guard !body.isEmpty else {
            throw ProviderRefusal(.payloadEmpty, "there is no payload: the body is a JSON object")
        }
        let findings = try PayloadLint.findings(in: body, pushType)
        for finding in findings.prefix(Self.mostFindings) { try note(finding.code, finding.message) }
        return body
    }

    /// The body, which APNs wants as it is; one that is compressed is unusual.
    private mutating func inflated() throws(ProviderRefusal) -> [UInt8] {
        guard let coding = request["content-encoding"], coding.lowercased() != "identity", !request.isBodyTooLong else {
            return request.body
        }
        try note(.compressedBody, "the body has the coding '\(coding)'; APNs takes no compressed bodies")
        var limits = BatchLimits()
        limits.bodySize = request.body.count
        limits.inflation.maximumOutput = 64 << 10
        do {
            var inflation = BodyInflation(try ContentCoding(coding), limits: limits)
            try inflation.append(.init(bytes: request.body))
            return try inflation.finish()
        } catch {
            throw ProviderRefusal(.payloadEmpty, "the body cannot be inflated")
        }
    }
}
