internal import LocalAuthority
internal import LocalService
internal import WaypostSchema

/// Who sends on one connection, as a value: the rules of provider tokens and certificates ("Establishing a token-based
/// connection to APNs", "Establishing a certificate-based connection to APNs").
struct ProviderAuthentication: Sendable {
    /// A token that was found good.
    private struct Verified: Sendable {
        var text: Substring
        var key: ProviderKey
        var issuedAt: Int
    }

    /// The seconds that a token is good for, and that its clock may be ahead.
    static let lifetime = 60 * 60

    /// How many tokens of a connection are remembered, so that their signatures are checked once.
    private static let remembered = 4

    private let mode: Authentication

    /// The certificate that the client has shown, if any.
    private let certificate: ClientCertificate?

    private var verified: [Verified] = []

    /// The key of the first good token on this connection.
    private var firstKey: ProviderKey?

    init(_ mode: Authentication, showing certificate: ClientCertificate? = nil) {
        self.mode = mode
        self.certificate = certificate
    }

    /// Whether a client that opens more than one stream is to be believed.
    var isTrusted: Bool {
        if case .good = certificate { return true }
        return mode != .apns || firstKey != nil
    }

    /// The topic of requests that name none; `nil` where they have to.
    var defaultTopic: Topic? {
        guard case .good(let certificate) = certificate, certificate.topics.count == 1 else { return nil }
        return certificate.topics.first
    }

    /// Looks at who sends a request.
    ///
    /// Who shows a certificate needs no token, and is not heard with one.
    ///
    /// - Parameters:
    ///   - claim: what the request says of that.
    ///   - keys: the keys that there are.
    ///   - now: the present moment.
    /// - Throws: `ProviderRefusal` where the sender may not send it.
    mutating func admit(_ claim: ProviderClaim, _ keys: ProviderKeys, at now: Timestamp) throws(ProviderRefusal) {
        guard mode != .none else { return }
        if let certificate { return try certificate.admit(claim, isStrict: mode == .apns, at: now) }
        let token = try verified(try Self.bearer(claim.authorization), keys)
        try checkAge(of: token, at: now)
        if let topics = token.key.topics, let topic = claim.topic,
            !topics.contains(where: { claim.isAboutApp ? topic == $0.rawValue : topic.isTopic(of: $0) })
        {
            throw ProviderRefusal(claim.foreignTopic, "the key \(token.key.id) is for other topics")
        }
        guard mode == .apns else { return }
        if let own = token.key.environment, let environment = claim.environment, own != environment {
            throw ProviderRefusal(.badEnvironmentKeyInToken, "the key \(token.key.id) is one of \(own.rawValue)")
        }
        try checkRelation(of: token.key)
        guard keys.noteUse(of: token.text, with: token.key, at: now) else {
            throw ProviderRefusal(
                .tooManyProviderTokenUpdates,
                "the key \(token.key.id) has had another token for less than 20 minutes; use that one on"
            )
        }
        if firstKey == nil { firstKey = token.key }
    }

    private static func bearer(_ authorization: String?) throws(ProviderRefusal) -> Substring {
        guard let token = bearerToken(in: authorization) else {
            throw ProviderRefusal(.missingProviderToken, "there is no provider token: authorization: bearer <token>")
        }
        return token
    }

    private mutating func verified(_ text: Substring, _ keys: ProviderKeys) throws(ProviderRefusal) -> Verified {
        if let known = verified.first(where: { $0.text == text }), keys.isKnown(known.key) { return known }
        let token = try ProviderToken(text)
        let candidates = keys.keys(with: token.keyID)
        guard !candidates.isEmpty else {
            throw ProviderRefusal(.invalidProviderToken, "there is no key \(token.keyID) here, or it was revoked")
        }
        let signers = candidates.filter { token.isSigned(by: $0.publicKey) }
        guard let signer = signers.first else {
            throw ProviderRefusal(.invalidProviderToken, "the token is not signed by the key \(token.keyID)")
        }
        guard let known = signers.first(where: { $0.key.team == token.team }) else {
            throw ProviderRefusal(
                .invalidProviderToken,
                "the key \(token.keyID) belongs to the team \(signer.key.team), and the token says \(token.team)"
            )
        }
        let good = Verified(text: text, key: known.key, issuedAt: token.issuedAt)
        verified = verified.filter { $0.text != text }.suffix(Self.remembered - 1) + [good]
        return good
    }

    private func checkAge(of token: Verified, at now: Timestamp) throws(ProviderRefusal) {
        let seconds = now.rawValue / 1_000
        guard token.issuedAt >= seconds - Self.lifetime else {
            throw ProviderRefusal(.expiredProviderToken, "the token was made more than an hour ago; make another one")
        }
        guard token.issuedAt <= seconds + Self.lifetime else {
            throw ProviderRefusal(
                .invalidProviderToken,
                "the token was made more than an hour from now; 'iat' is in seconds"
            )
        }
    }

    /// What is sent on one connection is sent for one team, and with keys of one kind.
    private func checkRelation(of key: ProviderKey) throws(ProviderRefusal) {
        guard let firstKey, firstKey != key else { return }
        guard firstKey.team == key.team, firstKey.topics == key.topics else {
            throw ProviderRefusal(
                .unrelatedKeyIdInToken,
                "the key \(key.id) is not related to \(firstKey.id), which this connection began with; open another one"
            )
        }
    }
}

extension String {
    /// Whether this is a topic of the app, the app's own or one with a suffix.
    fileprivate func isTopic(of app: Topic) -> Bool {
        self == app.rawValue || hasPrefix(app.rawValue + ".")
    }
}

/// What a request says of who sends it, and of what that has to be allowed to do.
struct ProviderClaim: Sendable, Equatable {
    /// The `authorization` header.
    var authorization: String?

    /// The topic.
    var topic: String?

    /// The push type.
    var pushType: String?

    /// The environment that the client believes it talks to, where that can be told.
    var environment: PushEnvironment?

    /// What is said where the topic is one of somebody else.
    var foreignTopic = RejectionReason.topicDisallowed

    /// Whether the topic is an app, so that what has another name is another app, and no push type's suffix.
    var isAboutApp = false
}

extension ProviderClaim {
    /// Reads what a request says.
    init(_ request: ProviderRequest) {
        self.init(
            authorization: request["authorization"],
            topic: request["apns-topic"],
            pushType: request["apns-push-type"],
            environment: request.environment
        )
    }
}

/// A certificate that a client has shown when it connected.
enum ClientCertificate: Sendable {
    /// One that an authority has signed which is trusted here.
    case good(ProviderCertificate)

    /// One that is worth nothing, and why.
    case bad(ProviderCertificate.CertificateError)

    /// Looks at what a client has shown, in DER.
    init(_ bytes: [UInt8], _ authorities: ProviderAuthorities) {
        do throws(ProviderCertificate.CertificateError) {
            self = .good(try authorities.read(bytes))
        } catch {
            self = .bad(error)
        }
    }

    /// Looks at whether its owner may send a request.
    ///
    /// - Parameters:
    ///   - claim: what the request says.
    ///   - isStrict: whether all rules of APNs hold, or only that the certificate is valid and for the topic.
    ///   - now: the present moment.
    /// - Throws: `ProviderRefusal` where its owner may not.
    func admit(_ claim: ProviderClaim, isStrict: Bool, at now: Timestamp) throws(ProviderRefusal) {
        let certificate: ProviderCertificate
        switch self {
        case .good(let good): certificate = good
        case .bad(let error): throw ProviderRefusal(.badCertificate, error.description)
        }
        guard certificate.validity.contains(now) else {
            let tense = now < certificate.validity.lowerBound ? "is not valid yet" : "is not valid any more"
            throw ProviderRefusal(.badCertificate, "the certificate \(tense)")
        }
        if isStrict, let environment = claim.environment, !certificate.environments.contains(environment) {
            let names = certificate.environments.map(\.rawValue).joined(separator: " and ")
            throw ProviderRefusal(.badCertificateEnvironment, "the certificate is one of \(names)")
        }
        let ownTopic = certificate.topics.first?.rawValue ?? ""
        if let topic = claim.topic, !topic.isEmpty, !certificate.topics.contains(Topic(rawValue: topic)) {
            throw ProviderRefusal(claim.foreignTopic, "the certificate of \(ownTopic) is not for the topic '\(topic)'")
        }
        // Location pushes are for who shows a token ("Sending notification requests to APNs").
        if isStrict, claim.pushType == "location" {
            throw ProviderRefusal(
                .forbidden,
                "a push of type location is sent with a provider token, not a certificate"
            )
        }
    }
}
