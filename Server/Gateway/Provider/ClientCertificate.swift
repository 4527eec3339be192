internal import LocalAuthority
internal import WaypostSchema

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
