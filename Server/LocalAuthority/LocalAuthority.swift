internal import COpenSSL
internal import Cryptography
package import Foundation
internal import WaypostSchema

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
    struct Identity: Sendable {
        var certificate: Certificate
        var key: P256PrivateKey
    }

    /// The authority's own certificate and key.
    let identity: Identity

    private static let day: TimeInterval = 24 * 60 * 60

    /// The time before its creation from which a certificate is valid, because clocks may disagree.
    private static let clockTolerance = day

    /// Creates the value for an existing authority.
    init(_ identity: Identity) {
        self.identity = identity
    }

    /// Creates an authority that is valid for ten years.
    ///
    /// - Throws: `CryptographyError`, which is not expected.
    init(_ sources: Sources) throws(CryptographyError) {
        let key = P256PrivateKey()
        let contents = Self.contents(
            [(NID_commonName, "Waypost local authority")],
            days: 3_650,
            [
                .init(name: "basicConstraints", value: "critical,CA:TRUE,pathlen:0"),
                .init(name: "keyUsage", value: "critical,keyCertSign,cRLSign"),
                .init(name: "subjectKeyIdentifier", value: "hash"),
            ],
            sources: sources
        )
        identity = Identity(certificate: try contents.makeCertificate(for: key.reference, by: nil, with: key), key: key)
    }

    /// Creates a server's certificate that is valid for 397 days.
    ///
    /// This is the longest validity that clients accept (CA/Browser Forum, Baseline Requirements, section 6.3.2).
    ///
    /// - Parameters:
    ///   - names: the host names of the server; the first is the common name. They have no commas.
    ///   - addresses: the addresses of the server.
    ///   - sources: the sources of time and random numbers.
    /// - Returns: the certificate and its key.
    /// - Throws: `CryptographyError`, which is not expected.
    func makeServerCertificate(
        names: [String],
        addresses: [String],
        _ sources: Sources
    ) throws(CryptographyError) -> Identity {
        let alternatives = names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }
        let key = P256PrivateKey()
        let certificate = try issue(
            for: key.reference,
            [(NID_commonName, names.first ?? "localhost")],
            [
                .init(name: "subjectAltName", value: alternatives.joined(separator: ",")),
                .init(name: "extendedKeyUsage", value: "serverAuth"),
            ],
            sources: sources
        )
        return Identity(certificate: certificate, key: key)
    }

    /// Creates a provider's certificate that is valid for 397 days.
    ///
    /// - Parameters:
    ///   - topics: the topics that the provider may send to, its own first; if there are several, the certificate lists
    ///     them.
    ///   - environments: the environments that the provider may send to.
    ///   - keyType: the type of its key.
    ///   - sources: the sources of time and random numbers.
    /// - Returns: the certificate and its key.
    /// - Throws: `CryptographyError`, which is not expected.
    func makeProviderCertificate(
        topics: [Topic],
        environments: Set<PushEnvironment>,
        keyType: ProviderKeyType,
        _ sources: Sources
    ) throws(CryptographyError) -> ProviderIdentity {
        let ownTopic = topics.first?.rawValue ?? ""
        var extensions = [CertificateContents.Extension(name: "extendedKeyUsage", value: "clientAuth")]
        extensions += ProviderCertificateField.extensions(of: environments)
        if topics.count > 1 { extensions.append(ProviderCertificateField.topicList(of: topics)) }
        let key = keyType.makeKey()
        let certificate = try issue(
            for: key,
            [(NID_userId, ownTopic), (NID_commonName, "Waypost Push Services: \(ownTopic)")],
            extensions,
            sources: sources
        )
        return ProviderIdentity(certificate: certificate, key: key)
    }

    private func issue(
        for key: KeyReference,
        _ subject: [(type: Int32, string: String)],
        _ extensions: [CertificateContents.Extension],
        sources: Sources
    ) throws(CryptographyError) -> Certificate {
        var commonExtensions: [CertificateContents.Extension] = [
            .init(name: "basicConstraints", value: "critical,CA:FALSE"),
            .init(name: "keyUsage", value: "critical,digitalSignature"),
            .init(name: "subjectKeyIdentifier", value: "hash"),
        ]
        if identity.certificate.hasKeyIdentifier {
            commonExtensions.append(.init(name: "authorityKeyIdentifier", value: "keyid:always"))
        }
        let contents = Self.contents(subject, days: 397, extensions + commonExtensions, sources: sources)
        return try contents.makeCertificate(for: key, by: identity.certificate, with: identity.key)
    }

    private static func contents(
        _ subject: [(type: Int32, string: String)],
        days: Double,
        _ extensions: [CertificateContents.Extension],
        sources: Sources
    ) -> CertificateContents {
        CertificateContents(
            // A serial number must be positive (RFC 5280, section 4.1.2.2).
            serialNumber: [0x01] + sources.randomBytes(15),
            notValidBefore: sources.now() - clockTolerance,
            notValidAfter: sources.now() + days * day,
            subject: subject,
            extensions: extensions
        )
    }
}
