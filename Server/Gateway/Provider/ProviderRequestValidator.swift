internal import Deflate
internal import GatewayStore
internal import HTTP2Sessions
internal import JSONScanning
internal import NIOCore
internal import PushRules
internal import WaypostSchema

/// Validates one request of a provider by its headers and its body; its device is checked later, by the store.
struct ProviderRequestValidator {
    private let request: ProviderRequest
    private let isStrict: Bool

    private var pushType: PushType?
    private var priority: Int?
    private var expiration: Int?
    private var collapseID: CollapseIdentifier?
    private let traceparent: TraceParent?

    /// The topics of the sender's certificate; `nil` if it has none, or has sent a token.
    private let certificateTopics: [Topic]?

    /// The time of the request; `nil` if the device's namespace may have another one.
    private let now: Timestamp?

    /// The unusual things about the request that do not follow from the notification (`NewNotification.headerFindings`).
    private(set) var findings: [NotificationFinding] = []

    init(_ request: ProviderRequest, isStrict: Bool, certificateTopics: [Topic]? = nil, now: Timestamp? = nil) {
        self.now = now
        self.request = request
        self.isStrict = isStrict
        self.certificateTopics = certificateTopics
        let trace = request.trace
        traceparent = trace.parent
        if let finding = trace.finding { findings.append(finding) }
    }

    /// Validates the request; the store looks for the device afterwards.
    ///
    /// APNs has been observed to check the sender before the token. The rest of the order is not public, and was chosen
    /// for the gateway (docs/provider-api.md).
    ///
    /// - Parameters:
    ///   - makeID: creates an identifier if the sender gave none.
    ///   - authenticate: checks the sender of the request, and returns what is unusual about it.
    /// - Returns: the notification.
    /// - Throws: `ProviderRefusal` for the first error.
    mutating func validate(
        makeID: () -> NotificationID,
        authenticate: () throws(ProviderRefusal) -> [NotificationFinding]
    ) throws(ProviderRefusal) -> NewNotification {
        try checkPath()
        try checkMethod()
        findings += try authenticate()
        try request.checkDuplicateHeaders()
        let id = try request.identifier("apns-id")
        expiration = try request.expiration
        priority = try request.priority
        for finding in request.spellingFindings { try add(finding) }
        collapseID = try ProviderRequest.rules.collapseIdentifier(request["apns-collapse-id"])
        let pushType = try checkPushType()
        self.pushType = pushType
        let topic = try topic(for: pushType)
        if isPushTypeAssumed { try add(ProviderRequest.rules.missingPushTypeFinding(for: topic)) }
        let token = try ProviderRequest.rules.token(String(request.tokenString ?? ""))
        try refuseHeaderErrors(pushType: pushType, topic: topic, id: id)
        let payload = try readPayload(pushType: isPushTypeAssumed ? topic.impliedPushType : pushType, topic: topic)
        return NewNotification(
            id: id ?? makeID(),
            token: token,
            topic: topic,
            pushType: pushType,
            priority: effectivePriority,
            expiration: expiration,
            collapseID: collapseID,
            payload: payload,
            findings: findings,
            traceparent: traceparent,
            isTopicFromCertificate: request["apns-topic"] == nil,
            isPushTypeAssumed: isPushTypeAssumed,
            environment: request.environment,
            isStrict: isStrict
        )
    }

    /// Whether the request has no push type, and counts as an alert.
    private var isPushTypeAssumed: Bool {
        request["apns-push-type"] == nil
    }

    /// Refuses what is unusual about the headers, if the gateway is strict; others report it (`HeaderCheck`).
    private func refuseHeaderErrors(
        pushType: PushType,
        topic: Topic,
        id: NotificationID?
    ) throws(ProviderRefusal) {
        guard isStrict else { return }
        let check = HeaderCheck(
            pushType: pushType,
            topic: topic,
            priority: effectivePriority,
            expiration: expiration,
            id: id,
            isPushTypeAssumed: isPushTypeAssumed
        )
        if let refusal = check.findings(at: now).lazy.compactMap(\.refusal).first { throw refusal }
    }

    private var effectivePriority: Int {
        priority ?? PushTypeContract.defaultPriority
    }

    /// The log entry for a request that is refused, with the fields that can be read.
    var logSubject: LogSubject {
        LogSubject(
            id: try? request.identifier("apns-id"),
            token: try? ProviderRequest.rules.token(String(request.tokenString ?? "")),
            topic: try? topic,
            pushType: pushType,
            priority: priority,
            expiration: expiration,
            collapseID: collapseID,
            findings: findings,
            traceparent: traceparent
        )
    }

    /// Records something unusual; a strict gateway refuses an error instead.
    private mutating func add(_ finding: NotificationFinding) throws(ProviderRefusal) {
        if isStrict, let refusal = finding.refusal { throw refusal }
        findings.append(finding)
    }
}

// MARK: The request line and the fields

extension ProviderRequestValidator {
    private func checkPath() throws(ProviderRefusal) {
        guard let token = request.tokenString, !token.utf8.contains(where: Self.endsToken) else {
            throw ProviderRefusal(.badPath, "send notifications to /3/device/<token>")
        }
    }

    /// Whether a byte of a path separates the token from something else.
    private static func endsToken(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private func checkMethod() throws(ProviderRefusal) {
        guard request.method == "POST" else {
            throw ProviderRefusal(.methodNotAllowed, "'\(request.method)' is not accepted here; use POST")
        }
    }

    private func checkPushType() throws(ProviderRefusal) -> PushType {
        try ProviderRequest.rules.pushType(request["apns-push-type"])
    }

    /// The `apns-topic`, or that of a certificate that has only one.
    private var topic: Topic {
        get throws(ProviderRefusal) {
            guard request["apns-topic"] == nil, let topics = certificateTopics, let topic = topics.first else {
                return try ProviderRequest.rules.topic(request["apns-topic"])
            }
            if topics.count == 1 { return topic }
            throw ProviderRefusal(
                .missingTopic,
                "the apns-topic is missing; the certificate is for several, so name one of them: \(topics.listing)"
            )
        }
    }

    private func topic(for pushType: PushType) throws(ProviderRefusal) -> Topic {
        let topic = try topic
        try ProviderRequest.rules.checkSuffix(of: topic, for: pushType)
        return topic
    }
}

// MARK: The payload

extension ProviderRequestValidator {
    private mutating func readPayload(pushType: PushType, topic: Topic) throws(ProviderRefusal) -> [UInt8] {
        let body = try inflateBody()
        let size = request.isBodyTooLong ? nil : body.count
        try ProviderRequest.rules.checkPayloadSize(size, pushType: pushType, topic: topic)
        guard !body.isEmpty else {
            throw ProviderRefusal(.payloadEmpty, "the payload is missing; the body must be a JSON object")
        }
        let findings: [NotificationFinding]
        do throws(PayloadCheck.Problem) {
            let context = PayloadCheck.Context(
                pushType: pushType,
                topic: topic,
                priority: effectivePriority,
                size: body.count,
                now: now
            )
            findings = try PayloadCheck.findings(in: body, context).map(\.finding)
        } catch {
            throw ProviderRefusal(.payloadEmpty, error.message)
        }
        if isStrict, let refusal = findings.lazy.compactMap(\.refusal).first { throw refusal }
        self.findings += PayloadCheck.reported(findings)
        return body
    }

    /// Returns the body, inflated if it is compressed.
    ///
    /// A compressed body is unusual, because APNs does not accept it.
    private mutating func inflateBody() throws(ProviderRefusal) -> [UInt8] {
        guard let coding = request["content-encoding"], coding.lowercased() != "identity", !request.isBodyTooLong else {
            return request.body
        }
        try add(
            NotificationFinding(
                code: .compressedBody,
                severity: .error,
                message: "the body has the coding '\(coding)'; APNs accepts no compressed bodies"
            )
        )
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
