package import Crypto
package import Foundation
internal import SwiftASN1
package import WaypostSchema
package import X509

/// A certificate authority for one machine: only clients that were configured to trust it accept its certificates.
package struct LocalAuthority: Sendable {
    /// The sources of time and random numbers for certificates.
    package struct Sources: Sendable {
        /// Returns the current time.
        package var now: @Sendable () -> Date

        /// Returns the given number of random bytes.
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

    /// The time before its creation from which a certificate is valid, because clocks may disagree.
    private static let grace = day

    /// Creates the value for an existing authority.
    package init(_ identity: Identity) {
        self.identity = identity
    }

    /// Creates an authority that is valid for ten years.
    ///
    /// - Throws: the errors of the signing library, which are not expected.
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

    /// Creates a server's certificate that is valid for 397 days.
    ///
    /// This is the longest validity that clients accept (CA/Browser Forum, Baseline Requirements, section 6.3.2).
    ///
    /// - Parameters:
    ///   - names: the host names of the server; the first is the common name.
    ///   - addresses: the addresses of the server, 4 or 16 bytes each.
    ///   - sources: the sources of time and random numbers.
    /// - Returns: the certificate and its key.
    /// - Throws: the errors of the signing library.
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

    /// Creates a provider's certificate that is valid for 397 days.
    ///
    /// - Parameters:
    ///   - topics: the topics that the provider may send to, its own first; if there are several, the certificate lists
    ///     them.
    ///   - environments: the environments that the provider may send to.
    ///   - sources: the sources of time and random numbers.
    /// - Returns: the certificate and its key.
    /// - Throws: the errors of the signing library.
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
        // A serial number must be positive (RFC 5280, section 4.1.2.2).
        Certificate.SerialNumber(bytes: [0x01] + sources.randomBytes(15))
    }
}
