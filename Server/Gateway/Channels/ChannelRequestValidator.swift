internal import Foundation
internal import GatewayStore
internal import JSONScanning
internal import PushRules
internal import WaypostSchema

/// Validates one request about broadcast channels by its headers and its body.
struct ChannelRequestValidator {
    /// The maximum size of a message in bytes ("Sending broadcast push notification requests to APNs").
    static let maximumPayloadSize = 5_120

    /// The maximum length of a channel's ID, which is the collapse identifier of its messages.
    private static let maximumIDLength = NotificationRules.maximumCollapseIdentifierLength

    private let request: ProviderRequest
    private let route: ChannelRoute
    private let isStrict: Bool

    /// The unusual things about the request.
    private(set) var findings: [NotificationFinding] = []

    /// Whether the client uses the dialect of APNSwift, which differs from Apple's API: channel IDs in the path and in
    /// the body, and a body in every response.
    private(set) var usesAPNSwiftDialect: Bool

    private var id: NotificationID?
    private var channel: ChannelID?
    private var expiration: Int?
    private var priority: Int?
    private var policy: BroadcastChannel.StoragePolicy?
    private let traceparent: TraceParent?

    init(_ request: ProviderRequest, _ route: ChannelRoute, isStrict: Bool) {
        self.request = request
        self.route = route
        self.isStrict = isStrict
        let trace = request.trace
        traceparent = trace.parent
        // All versions of APNSwift use this name.
        usesAPNSwiftDialect = !isStrict && request["user-agent"]?.hasPrefix("APNS/swift-nio") == true
        if let finding = trace.finding { findings.append(finding) }
    }

    /// Validates the request, with shared checks in the order of `ProviderRequestValidator`.
    ///
    /// The registry checks afterwards whether the channel exists, or whether there is room for another.
    ///
    /// - Parameters:
    ///   - messageID: the identifier of a message if the sender gave none.
    ///   - authenticate: checks the sender of the request, and returns what is unusual about it.
    /// - Returns: the action that the request asks for.
    /// - Throws: `ProviderRefusal` for the first error ("Handling error responses from APNs").
    mutating func validate(
        messageID: NotificationID,
        authenticate: () throws(ProviderRefusal) -> [NotificationFinding]
    ) throws(ProviderRefusal) -> ChannelCommand {
        try checkQuery()
        try checkMethod()
        findings += try authenticate()
        try request.checkDuplicateHeaders()
        id = try request.identifier("apns-request-id")
        try checkApp()
        channel = try findChannel()
        if isMessage {
            try checkPushType(request["apns-push-type"])
            expiration = try request.expiration
            priority = try request.priority
        }
        try checkBody()
        switch (route.resource, request.method, channel) {
        case (.broadcasts, _, let channel?): return .send(channel, message(id ?? messageID))
        case (_, "POST", _): return .create(policy ?? .nothing)
        case (_, "DELETE", let channel?): return .remove(channel)
        case (_, _, let channel?): return .read(channel)
        case (_, _, nil): return .list
        }
    }

    /// The log entry for a message that is refused, with the fields that can be read.
    var logSubject: LogSubject {
        LogSubject(
            id: try? request.identifier("apns-request-id"),
            topic: route.app.isWellFormed ? route.app : nil,
            pushType: "liveactivity",
            priority: priority,
            expiration: expiration,
            findings: findings,
            traceparent: traceparent
        )
    }

    private var isMessage: Bool {
        route.resource == .broadcasts
    }

    private func message(_ id: NotificationID) -> BroadcastMessage {
        BroadcastMessage(
            id: id,
            priority: priority ?? 10,
            expiration: expiration,
            payload: request.body,
            findings: findings,
            traceparent: traceparent
        )
    }

    /// Records that the request differs from Apple's API; a strict gateway refuses it with the reason instead.
    private mutating func addDialectFinding(_ reason: RejectionReason, _ message: String) throws(ProviderRefusal) {
        guard !isStrict else { throw ProviderRefusal(reason, message) }
        usesAPNSwiftDialect = true
        findings.append(NotificationFinding(code: .channelDialect, severity: .error, message: message))
    }
}

// MARK: The request line and the fields

extension ChannelRequestValidator {
    private func checkQuery() throws(ProviderRefusal) {
        guard !route.hasQuery else {
            throw ProviderRefusal(.badRequestParams, "this path accepts no query parameters")
        }
    }

    private func checkMethod() throws(ProviderRefusal) {
        guard route.methods.contains(request.method) else {
            let methods = route.methods.joined(separator: ", ")
            throw ProviderRefusal(.methodNotAllowed, "'\(request.method)' is not accepted here; use \(methods)")
        }
    }

    private func checkApp() throws(ProviderRefusal) {
        let suffix = PushType.documented.compactMap(\.topicSuffix).first { route.app.rawValue.hasSuffix($0) }
        guard route.app.isWellFormed, suffix == nil else {
            throw ProviderRefusal(
                .topicDisallowed,
                "the path must contain the app's bundle identifier, without the suffix of a push type"
            )
        }
    }

    /// Returns the ID of the channel that the request is about, or `nil` if it needs none.
    private mutating func findChannel() throws(ProviderRefusal) -> ChannelID? {
        if route.resource == .all || request.method == "POST" && !isMessage {
            if case .channel(_?) = route.resource {
                throw ProviderRefusal(.badPath, "a new channel gets its ID from the gateway: POST /1/apps/APP/channels")
            }
            return nil
        }
        var channelID = request["apns-channel-id"].map(ChannelID.init(rawValue:))
        if case .channel(let pathID?) = route.resource {
            try addDialectFinding(.badPath, "the channel's ID must be in the header apns-channel-id, not in the path")
            guard channelID ?? pathID == pathID else {
                throw ProviderRefusal(.badChannelId, "the path and apns-channel-id have different channel IDs")
            }
            channelID = pathID
        }
        guard let channelID else {
            guard !isMessage, request.method == "GET" else {
                throw ProviderRefusal(.missingChannelId, "the header apns-channel-id is missing")
            }
            try addDialectFinding(.missingChannelId, "to list channels, use /1/apps/APP/all-channels")
            return nil
        }
        let isID = Data(base64Encoded: channelID.rawValue).map { !$0.isEmpty } ?? false
        guard isID, channelID.rawValue.utf8.count <= Self.maximumIDLength else {
            throw ProviderRefusal(.badChannelId, "the apns-channel-id must be an ID from the gateway, in base64")
        }
        return channelID
    }

    private func checkPushType(_ string: String?) throws(ProviderRefusal) {
        guard let string else {
            throw ProviderRefusal(.missingPushType, "the apns-push-type is missing; it must be liveactivity")
        }
        guard string.lowercased() == "liveactivity" else {
            throw ProviderRefusal(.invalidPushType, "the push type must be liveactivity, not '\(string)'")
        }
    }
}

// MARK: The body

extension ChannelRequestValidator {
    /// The configuration of a channel, as the body contains it.
    private struct Configuration: Decodable {
        var policy: Policy
        var pushType: String?

        /// A number, or, as in node-apn's own example, a number in a string.
        struct Policy: Decodable {
            let number: Int
            let isString: Bool

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                let string = try? container.decode(String.self)
                isString = string != nil
                number = try string.flatMap { Int($0) } ?? container.decode(Int.self)
            }
        }

        enum CodingKeys: String, CodingKey {
            case policy = "message-storage-policy"
            case pushType = "push-type"
        }
    }

    private mutating func checkBody() throws(ProviderRefusal) {
        guard request.method == "POST" else { return }
        guard !request.isBodyTooLong, request.body.count <= Self.maximumPayloadSize else {
            throw ProviderRefusal(
                .payloadTooLarge,
                "the body has more than \(Self.maximumPayloadSize) bytes, the maximum"
            )
        }
        guard !request.body.isEmpty else {
            throw ProviderRefusal(.payloadEmpty, "the body is missing; it must be a JSON object")
        }
        if isMessage { try checkPayload() } else { try checkConfiguration() }
    }

    private mutating func checkPayload() throws(ProviderRefusal) {
        let payloadFindings: [NotificationFinding]
        do throws(PayloadCheck.Problem) {
            let context = PayloadCheck.Context(
                pushType: "liveactivity",
                size: request.body.count,
                maximumSize: Self.maximumPayloadSize
            )
            payloadFindings = try PayloadCheck.findings(in: request.body, context).map(\.finding)
        } catch {
            throw ProviderRefusal(.badRequestPayload, error.message)
        }
        if isStrict, let error = payloadFindings.first(where: { $0.severity == .error }) {
            throw ProviderRefusal(.badRequestPayload, error.message)
        }
        findings += PayloadCheck.reported(payloadFindings)
    }

    private mutating func checkConfiguration() throws(ProviderRefusal) {
        guard let configuration = try? DocumentDecoder.decode(Configuration.self, from: Array(request.body)),
            let policy = BroadcastChannel.StoragePolicy(rawValue: configuration.policy.number),
            !isStrict || !configuration.policy.isString
        else {
            throw ProviderRefusal(
                .badRequestPayload,
                #"the body must be like {"message-storage-policy":1,"push-type":"LiveActivity"}, with policy 0 or 1"#
            )
        }
        self.policy = policy
        if configuration.policy.isString {
            let message = "the message-storage-policy is a string; Apple's documents have a number"
            findings.append(NotificationFinding(code: .channelDialect, severity: .error, message: message))
        }
        guard configuration.pushType == nil else { return try checkPushType(configuration.pushType) }
        try addDialectFinding(.missingPushType, "the body has no push-type; it should be LiveActivity")
    }
}
