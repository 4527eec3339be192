internal import LocalAuthority
internal import LocalService
internal import PushRules
internal import WaypostSchema

/// The authentication state of one connection, as a value.
///
/// It implements the rules for provider tokens and certificates ("Establishing a token-based connection to APNs",
/// "Establishing a certificate-based connection to APNs").
struct ProviderAuthentication: Sendable {
    /// A token that was verified.
    private struct VerifiedToken: Sendable {
        var string: Substring
        var key: ProviderKey
        var issuedAt: Int
        var algorithm: ProviderToken.Algorithm

        /// The version of the keys (`ProviderKeys.version`) with which the token was last compared.
        var keysVersion: Int
    }

    /// The lifetime of a token in seconds, and the maximum by which the sender's clock may be ahead.
    static let tokenLifetime = 60 * 60

    /// The maximum number of verified tokens that are cached per connection, so that each signature is checked once.
    private static let maximumCachedTokens = 4

    private let mode: Authentication

    /// The scope in which a new token must not follow another one too soon.
    private let tokenChurn: TokenChurnScope

    /// Whether unusual tokens are refused.
    private let isStrict: Bool

    /// The certificate that the client presented, if any.
    private let certificate: ClientCertificate?

    private var verifiedTokens: [VerifiedToken] = []

    /// The key of the first valid token on this connection.
    private var firstKey: ProviderKey?

    /// The tokens of this connection, by the public key of their key: tokens of related keys may alternate.
    private var tokenHistories: [String: ProviderTokenHistory] = [:]

    init(
        _ mode: Authentication,
        tokenChurn: TokenChurnScope = .connection,
        isStrict: Bool = false,
        certificate: ClientCertificate? = nil
    ) {
        self.mode = mode
        self.tokenChurn = tokenChurn
        self.isStrict = isStrict
        self.certificate = certificate
    }

    /// Whether the client may open more than one stream.
    var isTrusted: Bool {
        if case .valid = certificate { return true }
        return mode != .apns || firstKey != nil
    }

    /// The topics of the client's certificate; `nil` if it has none that is valid.
    var certificateTopics: [Topic]? {
        if case .valid(let certificate) = certificate { certificate.topics } else { nil }
    }

    /// Checks whether the sender of a request may send it.
    ///
    /// A token is ignored when a client certificate is presented.
    ///
    /// - Parameters:
    ///   - claim: the sender's credentials and what the request needs, which is used only with authentication.
    ///   - keys: the keys that verify tokens.
    ///   - now: the current time.
    /// - Returns: what is unusual about the sender's token.
    /// - Throws: `ProviderRefusal` if the sender may not send it.
    mutating func admit(
        _ claim: @autoclosure () -> ProviderClaim,
        _ keys: ProviderKeys,
        at now: Timestamp
    ) throws(ProviderRefusal) -> [NotificationFinding] {
        guard mode != .none else { return [] }
        let claim = claim()
        if let certificate {
            try certificate.admit(claim, isStrict: mode == .apns, at: now)
            return try credentialFinding(.certificate, claim).map { [$0] } ?? []
        }
        let token = try verify(try Self.requiredToken(in: claim.authorization), keys)
        let algorithmFinding = token.algorithm.finding
        if isStrict, let algorithmFinding { throw ProviderRefusal(.invalidProviderToken, algorithmFinding.message) }
        try checkAge(of: token, at: now)
        if let topics = token.key.topics, let topic = claim.topic,
            !topics.contains(where: { claim.isAboutApp ? topic == $0.rawValue : topic.isTopic(of: $0) })
        {
            throw ProviderRefusal(claim.disallowedTopicReason, "the key \(token.key.id) is not for this topic")
        }
        guard mode == .apns else {
            _ = keys.recordUse(of: token.string, with: token.key, at: now, refusesTooSoon: false)
            return algorithmFinding.map { [$0] } ?? []
        }
        if let keyEnvironment = token.key.environment, let environment = claim.environment,
            keyEnvironment != environment
        {
            throw ProviderRefusal(
                .badEnvironmentKeyInToken,
                "the key \(token.key.id) is only for \(keyEnvironment.rawValue)"
            )
        }
        try checkRelation(of: token.key)
        let churnFinding = try recordUse(of: token, keys, at: now)
        if firstKey == nil { firstKey = token.key }
        return [algorithmFinding, churnFinding, try credentialFinding(.token, claim)].compactMap(\.self)
    }

    /// Checks whether a push type may be sent with a certificate or a token, as APNs does.
    ///
    /// - Parameters:
    ///   - credential: the sender's credential: a certificate or a token.
    ///   - claim: the request.
    /// - Returns: the finding, if the rule is only inferred.
    /// - Throws: `ProviderRefusal` if the rule is known.
    private func credentialFinding(
        _ credential: PushTypeContract.Authentication,
        _ claim: ProviderClaim
    ) throws(ProviderRefusal) -> NotificationFinding? {
        guard mode == .apns, let pushType = claim.pushType, let contract = PushType(rawValue: pushType).contract else {
            return nil
        }
        let rule = contract.authentication
        guard rule.value != .tokenOrCertificate, rule.value != credential else { return nil }
        let message =
            rule.value == .token
            ? "push type \(pushType) needs a provider token, not a certificate"
            : "push type \(pushType) needs a certificate, not a provider token"
        guard !rule.justifiesRefusal else {
            // The reason is documented for no push type.
            throw ProviderRefusal(pushType == "location" ? .forbidden : .topicDisallowed, message)
        }
        let finding = NotificationFinding(code: .pushTypeAuthentication, severity: .error, message: message)
        if isStrict, let refusal = finding.refusal { throw refusal }
        return finding
    }

    /// Lets the connection use a new token at once, after an answer that asked for one.
    mutating func allowRenewal() {
        // Other requests may still arrive with the old token.
        for key in tokenHistories.keys { tokenHistories[key]?.allowRenewal() }
    }

    /// Checks the time between two tokens; returns a finding if it is too short for the key, but not for the connection.
    private mutating func recordUse(
        of token: VerifiedToken,
        _ keys: ProviderKeys,
        at now: Timestamp
    ) throws(ProviderRefusal) -> NotificationFinding? {
        let advice = "got its current token less than 20 minutes ago; keep using that token"
        guard tokenChurn == .connection else {
            let use = keys.recordUse(of: token.string, with: token.key, at: now, refusesTooSoon: true)
            guard use != .tooSoon else {
                throw ProviderRefusal(.tooManyProviderTokenUpdates, "the key \(token.key.id) \(advice)")
            }
            return nil
        }
        let use = tokenHistories[token.key.publicKey, default: ProviderTokenHistory(at: now)]
            .recordUse(of: token.string, at: now, refusesTooSoon: true)
        guard use != .tooSoon else {
            throw ProviderRefusal(.tooManyProviderTokenUpdates, "this connection \(advice)")
        }
        guard use != .known else {
            keys.recordKnownUse(of: token.key, at: now)
            return nil
        }
        let keyUse = keys.recordUse(of: token.string, with: token.key, at: now, refusesTooSoon: false)
        guard use == .new, keyUse == .tooSoon else { return nil }
        return NotificationFinding(
            code: .providerTokenChurn,
            message: """
                the key \(token.key.id) had a token less than 20 minutes old on another connection; Apple asks for one token \
                in that time, and --token-churn key refuses this one
                """
        )
    }

    private static func requiredToken(in authorization: String?) throws(ProviderRefusal) -> Substring {
        guard let token = bearerToken(in: authorization) else {
            throw ProviderRefusal(.missingProviderToken, "the provider token is missing: authorization: bearer <token>")
        }
        return token
    }

    private mutating func verify(_ string: Substring, _ keys: ProviderKeys) throws(ProviderRefusal) -> VerifiedToken {
        let version = keys.version
        // The tokens are those that the same client sent before, so the time of a comparison reveals nothing to it.
        if let index = verifiedTokens.firstIndex(where: { $0.string == string }),
            verifiedTokens[index].keysVersion == version || keys.contains(verifiedTokens[index].key)
        {
            verifiedTokens[index].keysVersion = version
            return verifiedTokens[index]
        }
        let token = try ProviderToken(string)
        let candidates = keys.keys(with: token.keyID)
        guard !candidates.isEmpty else {
            let areSwapped = !keys.keys(with: ProviderKeyID(rawValue: token.team.rawValue)).isEmpty
            throw ProviderRefusal(
                .invalidProviderToken,
                areSwapped
                    ? "the token's 'kid' and 'iss' are exchanged: \(token.team) is a key, and 'iss' is the team"
                    : "the key \(token.keyID) is unknown or was revoked"
            )
        }
        let signers = candidates.filter { token.isSigned(by: $0.publicKey) }
        guard let signer = signers.first else {
            throw ProviderRefusal(.invalidProviderToken, "the token is not signed by the key \(token.keyID)")
        }
        guard let matchingSigner = signers.first(where: { $0.key.team == token.team }) else {
            throw ProviderRefusal(
                .invalidProviderToken,
                "the key \(token.keyID) belongs to the team \(signer.key.team); the token names the team \(token.team)"
            )
        }
        let newToken = VerifiedToken(
            string: string,
            key: matchingSigner.key,
            issuedAt: token.issuedAt,
            algorithm: token.algorithm,
            keysVersion: version
        )
        verifiedTokens = verifiedTokens.filter { $0.string != string }.suffix(Self.maximumCachedTokens - 1) + [newToken]
        return newToken
    }

    private mutating func checkAge(of token: VerifiedToken, at now: Timestamp) throws(ProviderRefusal) {
        let seconds = now.rawValue / 1_000
        guard token.issuedAt >= seconds - Self.tokenLifetime else {
            allowRenewal()
            throw ProviderRefusal(.expiredProviderToken, "the token was issued more than an hour ago; create a new one")
        }
        guard token.issuedAt <= seconds + Self.tokenLifetime else {
            throw ProviderRefusal(
                .invalidProviderToken,
                "the token's 'iat' is more than an hour in the future; it must be in seconds since 1970"
            )
        }
    }

    /// Checks that all tokens of a connection are from one team, and from keys for the same topics.
    private func checkRelation(of key: ProviderKey) throws(ProviderRefusal) {
        guard let firstKey, firstKey != key else { return }
        guard firstKey.team == key.team, firstKey.topics == key.topics else {
            throw ProviderRefusal(
                .unrelatedKeyIdInToken,
                "the key \(key.id) is not related to \(firstKey.id), the first on this connection; open another one"
            )
        }
    }
}

extension String {
    /// Whether the string is a topic of the app: the app's own, or one with a suffix.
    fileprivate func isTopic(of app: Topic) -> Bool {
        self == app.rawValue || hasPrefix(app.rawValue + ".")
    }
}

/// The credentials of a request's sender, and the permissions that the request needs.
struct ProviderClaim: Sendable, Equatable {
    /// The `authorization` header.
    var authorization: String?

    /// The topic.
    var topic: String?

    /// The push type.
    var pushType: String?

    /// The environment that the client expects, if known.
    var environment: PushEnvironment?

    /// The reason for refusing a topic that the sender may not use.
    var disallowedTopicReason = RejectionReason.topicDisallowed

    /// Whether the topic is exactly an app, so that a push type's suffix is not allowed.
    var isAboutApp = false
}

extension ProviderClaim {
    /// Creates the claim from a request.
    init(_ request: ProviderRequest) {
        self.init(
            authorization: request["authorization"],
            topic: request["apns-topic"],
            pushType: request["apns-push-type"],
            environment: request.environment
        )
    }
}

/// A certificate that a client presented when it connected.
enum ClientCertificate: Sendable {
    /// A certificate that a trusted authority has signed.
    case valid(ProviderCertificate)

    /// A certificate that is not valid, and the reason.
    case invalid(ProviderCertificate.CertificateError)

    /// Checks the certificate that a client presented, in DER.
    init(_ bytes: [UInt8], _ authorities: ProviderAuthorities) {
        do throws(ProviderCertificate.CertificateError) {
            self = .valid(try authorities.read(bytes))
        } catch {
            self = .invalid(error)
        }
    }

    /// Checks whether the certificate's owner may send a request.
    ///
    /// - Parameters:
    ///   - claim: the permissions that the request needs.
    ///   - isStrict: whether all rules of APNs apply, or only that the certificate is valid and for the topic.
    ///   - now: the current time.
    /// - Throws: `ProviderRefusal` if the owner may not send it.
    func admit(_ claim: ProviderClaim, isStrict: Bool, at now: Timestamp) throws(ProviderRefusal) {
        let certificate: ProviderCertificate
        switch self {
        case .valid(let valid): certificate = valid
        case .invalid(let error): throw ProviderRefusal(.badCertificate, error.description)
        }
        guard certificate.validity.contains(now) else {
            let problem = now < certificate.validity.lowerBound ? "is not yet valid" : "has expired"
            throw ProviderRefusal(.badCertificate, "the certificate \(problem)")
        }
        if isStrict, let environment = claim.environment, !certificate.environments.contains(environment) {
            let names = certificate.environments.map(\.rawValue).joined(separator: " and ")
            throw ProviderRefusal(.badCertificateEnvironment, "the certificate is only for \(names)")
        }
        let ownTopic = certificate.topics.first?.rawValue ?? ""
        if let topic = claim.topic, !topic.isEmpty, !certificate.topics.contains(Topic(rawValue: topic)) {
            throw ProviderRefusal(
                claim.disallowedTopicReason,
                "the certificate for \(ownTopic) is not for the topic '\(topic)'"
            )
        }
    }
}
