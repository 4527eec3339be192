internal import Foundation
internal import GatewayStore
internal import WaypostSchema

/// Validates one request about broadcast channels by its headers and its body.
struct ChannelRequestValidator {
    /// The most bytes of a message ("Sending broadcast push notification requests to APNs").
    static let longestPayload = 5_120

    /// The most characters of a channel's name: it is the collapse identifier of its messages.
    private static let longestName = NotificationRules.maximumCollapseIdentifier

    private let request: ProviderRequest
    private let route: ChannelRoute
    private let isStrict: Bool

    /// What is unusual about it.
    private(set) var findings: [NotificationFinding] = []

    /// Whether it wants the answers that APNSwift wants, which are not Apple's: names of channels in the path and in the body, and
    /// never a status without a body.
    private(set) var isOtherDialect: Bool

    private var id: NotificationID?
    private var channel: ChannelID?
    private var expiration: Int?
    private var priority: Int?
    private var policy: BroadcastChannel.StoragePolicy?

    init(_ request: ProviderRequest, _ route: ChannelRoute, isStrict: Bool) {
        self.request = request
        self.route = route
        self.isStrict = isStrict
        // It is what APNSwift calls itself, whichever of its versions.
        isOtherDialect = !isStrict && request["user-agent"]?.hasPrefix("APNS/swift-nio") == true
    }

    /// Checks one thing after another, in the order of `ProviderRequestValidator` as far as it goes; afterwards the registry
    /// is asked whether there is such a channel, or may be one more.
    ///
    /// - Parameters:
    ///   - newID: the identifier that a message gets if the sender gave none.
    ///   - authenticate: checks who sends the request.
    /// - Returns: what is wanted.
    /// - Throws: `ProviderRefusal` for the first thing that is wrong ("Handling error responses from APNs").
    mutating func command(
        naming newID: NotificationID,
        authenticate: () throws(ProviderRefusal) -> Void
    ) throws(ProviderRefusal) -> ChannelCommand {
        try checkParameters()
        try checkMethod()
        try authenticate()
        try request.checkRepetition()
        id = try request.identifier("apns-request-id")
        try checkApp()
        channel = try findChannel()
        if isMessage {
            try checkPushType(request["apns-push-type"])
            expiration = try request.expiration
            priority = try request.priority
        }
        try checkBody()
        switch (route.place, request.method, channel) {
        case (.broadcasts, _, let channel?): return .send(channel, message(id ?? newID))
        case (_, "POST", _): return .create(policy ?? .nothing)
        case (_, "DELETE", let channel?): return .remove(channel)
        case (_, _, let channel?): return .read(channel)
        case (_, _, nil): return .list
        }
    }

    /// What the log is told of a message that is refused: as much of it as can be read.
    var subject: LogSubject {
        LogSubject(
            id: try? request.identifier("apns-request-id"),
            topic: route.app.isPlain ? route.app : nil,
            pushType: "liveactivity",
            priority: priority,
            expiration: expiration,
            findings: findings
        )
    }

    private var isMessage: Bool {
        route.place == .broadcasts
    }

    private func message(_ id: NotificationID) -> BroadcastMessage {
        BroadcastMessage(
            id: id,
            priority: priority ?? 10,
            expiration: expiration,
            payload: request.body,
            findings: findings
        )
    }

    /// Notes that something is said in another way than Apple's; a gateway that is strict refuses it for a reason.
    private mutating func note(_ reason: RejectionReason, _ message: String) throws(ProviderRefusal) {
        guard !isStrict else { throw ProviderRefusal(reason, message) }
        isOtherDialect = true
        findings.append(NotificationFinding(code: .channelDialect, message: message))
    }
}

// MARK: The request line and the fields

extension ChannelRequestValidator {
    private func checkParameters() throws(ProviderRefusal) {
        guard !route.hasParameters else {
            throw ProviderRefusal(.badRequestParams, "nothing behind a question mark is read here")
        }
    }

    private func checkMethod() throws(ProviderRefusal) {
        guard route.methods.contains(request.method) else {
            let methods = route.methods.joined(separator: ", ")
            throw ProviderRefusal(.methodNotAllowed, "'\(request.method)' is not accepted here; \(methods) are")
        }
    }

    private func checkApp() throws(ProviderRefusal) {
        let suffix = PushType.known.compactMap(\.topicSuffix).first { route.app.rawValue.hasSuffix($0) }
        guard route.app.isPlain, suffix == nil else {
            throw ProviderRefusal(
                .topicDisallowed,
                "the path names an app by its bundle identifier, without the suffix of a push type"
            )
        }
    }

    /// The channel that is meant; `nil` where none has to be.
    private mutating func findChannel() throws(ProviderRefusal) -> ChannelID? {
        if route.place == .all || request.method == "POST" && !isMessage {
            if case .channel(_?) = route.place {
                throw ProviderRefusal(.badPath, "a channel gets its name when it is made: POST /1/apps/APP/channels")
            }
            return nil
        }
        var name = request["apns-channel-id"].map(ChannelID.init(rawValue:))
        if case .channel(let inPath?) = route.place {
            try note(.badPath, "the name of a channel is in the header apns-channel-id, not in the path")
            guard name ?? inPath == inPath else {
                throw ProviderRefusal(.badChannelId, "the path and the apns-channel-id name different channels")
            }
            name = inPath
        }
        guard let name else {
            guard !isMessage, request.method == "GET" else {
                throw ProviderRefusal(.missingChannelId, "no channel is named: apns-channel-id")
            }
            try note(.missingChannelId, "channels are listed at /1/apps/APP/all-channels")
            return nil
        }
        let isName = Data(base64Encoded: name.rawValue).map { !$0.isEmpty } ?? false
        guard isName, name.rawValue.utf8.count <= Self.longestName else {
            throw ProviderRefusal(.badChannelId, "the apns-channel-id must be as it was answered, in base64")
        }
        return name
    }

    private func checkPushType(_ text: String?) throws(ProviderRefusal) {
        guard let text else {
            throw ProviderRefusal(.missingPushType, "a message to a channel has the apns-push-type liveactivity")
        }
        guard text.lowercased() == "liveactivity" else {
            throw ProviderRefusal(.invalidPushType, "channels are for the push type liveactivity, not '\(text)'")
        }
    }
}

// MARK: The body

extension ChannelRequestValidator {
    /// What a channel is to be like, as the body says it.
    private struct Configuration: Decodable {
        var policy: Int
        var pushType: String?

        enum CodingKeys: String, CodingKey {
            case policy = "message-storage-policy"
            case pushType = "push-type"
        }
    }

    private mutating func checkBody() throws(ProviderRefusal) {
        guard request.method == "POST" else { return }
        guard !request.isBodyTooLong, request.body.count <= Self.longestPayload else {
            throw ProviderRefusal(.payloadTooLarge, "the body is too large; \(Self.longestPayload) bytes are accepted")
        }
        guard !request.body.isEmpty else {
            throw ProviderRefusal(.payloadEmpty, "there is no body, which is a JSON object")
        }
        if isMessage { try checkPayload() } else { try checkConfiguration() }
    }

    private mutating func checkPayload() throws(ProviderRefusal) {
        let found: [NotificationFinding]
        do throws(ProviderRefusal) {
            found = try PayloadLint.findings(in: request.body, "liveactivity")
        } catch {
            throw ProviderRefusal(.badRequestPayload, error.message)
        }
        if isStrict, let first = found.first { throw ProviderRefusal(.badRequestPayload, first.message) }
        findings += found.prefix(ProviderRequestValidator.mostFindings)
    }

    private mutating func checkConfiguration() throws(ProviderRefusal) {
        guard let configuration = try? JSONDecoder().decode(Configuration.self, from: Data(request.body)),
            let policy = BroadcastChannel.StoragePolicy(rawValue: configuration.policy)
        else {
            throw ProviderRefusal(
                .badRequestPayload,
                #"the body must be like {"message-storage-policy":1,"push-type":"LiveActivity"}, with the policy 0 or 1"#
            )
        }
        self.policy = policy
        guard configuration.pushType == nil else { return try checkPushType(configuration.pushType) }
        try note(.missingPushType, "there is no push-type, which is LiveActivity")
    }
}
