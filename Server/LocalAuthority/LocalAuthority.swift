package import Crypto
package import Foundation
internal import SwiftASN1
package import WaypostSchema
package import X509

/// A certificate authority for one machine: what it signs is trusted by whoever was told to trust it, and by nobody else.
package struct LocalAuthority: Sendable {
    /// What certificates are made from, as arguments.
    package struct Sources: Sendable {
        /// Returns the present moment.
        package var now: @Sendable () -> Date

        /// Returns so many random bytes.
        package var randomBytes: @Sendable (Int) -> [UInt8]

        /// Creates the value from its parts.
        package init(
            now: @escaping @Sendable () -> Date,
            randomBytes: @escaping @Sendable (Int) -> [UInt8]
        ) {
            self.now = now
            self.randomBytes = randomBytes
        }
    }

    /// A certificate with its private key.
    package struct Identity: Sendable {
        /// The certificate.
        package var certificate: Certificate

        /// Its private key.
        package var key: P256.Signing.PrivateKey
    }

    /// The authority's own certificate and key.
    package let identity: Identity

    private static let day: TimeInterval = 24 * 60 * 60

    /// Clocks need not agree: what is made now is valid since yesterday.
    private static let grace = day

    /// Takes up an authority that was made before.
    package init(_ identity: Identity) {
        self.identity = identity
    }

    /// Makes an authority, which is valid for ten years.
    ///
    /// - Throws: what the signing library throws, which it has no reason to.
    package init(_ sources: Sources) throws {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("Waypost local authority") }
        let extensions = try Certificate.Extensions {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
            Critical(KeyUsage(keyCertSign: true, cRLSign: true))
            SubjectKeyIdentifier(hash: Certificate.PublicKey(key.publicKey))
        }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Self.serialNumber(sources),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: sources.now() - Self.grace,
            notValidAfter: sources.now() + 3_650 * Self.day,
            issuer: name,
            subject: name,
            extensions: extensions,
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        identity = Identity(certificate: certificate, key: key)
    }

    /// Makes a certificate for a server, which is valid for 397 days, as long as any client accepts (CA/Browser Forum, Baseline
    /// Requirements, section 6.3.2).
    ///
    /// - Parameters:
    ///   - names: its names, the first being its common name.
    ///   - addresses: its addresses, 4 or 16 bytes each.
    ///   - sources: the time and the randomness.
    /// - Returns: the certificate and its key.
    /// - Throws: what the signing library throws.
    package func server(names: [String], addresses: [[UInt8]], _ sources: Sources) throws -> Identity {
        let alternatives =
            names.map { GeneralName.dnsName($0) }
            + addresses.map { GeneralName.ipAddress(ASN1OctetString(contentBytes: $0[...])) }
        let subject = try DistinguishedName { CommonName(names.first ?? "localhost") }
        let extensions = try Certificate.Extensions {
            SubjectAlternativeNames(alternatives)
            try ExtendedKeyUsage([.serverAuth])
        }
        return try issue(subject, days: 397, extensions, sources)
    }

    /// Makes a certificate for a provider, which is valid for 397 days.
    ///
    /// - Parameters:
    ///   - topics: the topics it may send to, its own first; where there are several, they are listed.
    ///   - environments: the environments it may send to.
    ///   - sources: the time and the randomness.
    /// - Returns: the certificate and its key.
    /// - Throws: what the signing library throws.
    package func provider(
        topics: [Topic],
        environments: Set<PushEnvironment>,
        _ sources: Sources
    ) throws -> Identity {
        let own = topics.first?.rawValue ?? ""
        let subject = DistinguishedName([
            RelativeDistinguishedName(.init(type: ProviderCertificateField.userID, utf8String: own)),
            RelativeDistinguishedName(
                .init(type: .RDNAttributeType.commonName, utf8String: "Waypost Push Services: \(own)")
            ),
        ])
        var extensions = try Certificate.Extensions { try ExtendedKeyUsage([.clientAuth]) }
        for one in ProviderCertificateField.extensions(of: environments) { try extensions.append(one) }
        if topics.count > 1 { try extensions.append(ProviderCertificateField.list(of: topics)) }
        return try issue(subject, days: 397, extensions, sources)
    }

    private func issue(
        _ subject: DistinguishedName,
        days: Double,
        _ more: Certificate.Extensions,
        _ sources: Sources
    ) throws -> Identity {
        let key = P256.Signing.PrivateKey()
        var extensions = more
        let common = try Certificate.Extensions {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            SubjectKeyIdentifier(hash: Certificate.PublicKey(key.publicKey))
            AuthorityKeyIdentifier(
                keyIdentifier: SubjectKeyIdentifier(hash: identity.certificate.publicKey).keyIdentifier
            )
        }
        for one in common { try extensions.append(one) }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Self.serialNumber(sources),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: sources.now() - Self.grace,
            notValidAfter: sources.now() + days * Self.day,
            issuer: identity.certificate.subject,
            subject: subject,
            extensions: extensions,
            issuerPrivateKey: Certificate.PrivateKey(identity.key)
        )
        return Identity(certificate: certificate, key: key)
    }

    private static func serialNumber(_ sources: Sources) -> Certificate.SerialNumber {
        // Positive, as it has to be (RFC 5280, section 4.1.2.2).
        Certificate.SerialNumber(bytes: [0x01] + sources.randomBytes(15))
    }
}
