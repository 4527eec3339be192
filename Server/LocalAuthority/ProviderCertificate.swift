internal import Foundation
internal import SwiftASN1
package import WaypostSchema
internal import X509

/// The contents of a provider's certificate, as in Apple's certificates ("Establishing a certificate-based connection
/// to APNs").
package struct ProviderCertificate: Sendable, Equatable {
    /// The topics that the provider may send to, its own first.
    package var topics: [Topic]

    /// The environments that the provider may send to.
    package var environments: Set<PushEnvironment>

    /// The time span in which both the certificate and its issuer's certificate are valid.
    package var validity: ClosedRange<Timestamp>

    /// The reason why a certificate is not one of a provider.
    package struct CertificateError: Error, Sendable, Equatable, CustomStringConvertible {
        /// A description of the reason.
        package let description: String
    }
}

/// The fields in which an APNs certificate states its purpose.
enum ProviderCertificateField {
    /// The attribute of the subject that contains the topic (RFC 4519, section 2.39).
    static let userID: ASN1ObjectIdentifier = [0, 9, 2_342, 19_200_300, 100, 1, 1]

    /// The extension that, if present, allows sending to the sandbox.
    static let sandbox: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 1]

    /// The extension that, if present, allows sending to the production environment.
    static let production: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 2]

    /// The extension that lists several topics, each with the kinds of push it is for.
    static let topics: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 6]

    /// Returns the extensions whose presence allows sending to `environments`.
    static func extensions(of environments: Set<PushEnvironment>) -> [Certificate.Extension] {
        let null: ArraySlice<UInt8> = [0x05, 0x00]
        return [(PushEnvironment.sandbox, sandbox), (.production, production)]
            .filter { environments.contains($0.0) }
            .map { Certificate.Extension(oid: $0.1, critical: false, value: null) }
    }

    /// Returns the extension that lists `topics`.
    static func list(of topics: [Topic]) throws -> Certificate.Extension {
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { list in
            for topic in topics {
                try list.serialize(ASN1UTF8String(topic.rawValue))
                try list.appendConstructedNode(identifier: .sequence) { kinds in
                    try kinds.serialize(ASN1UTF8String(kind(of: topic)))
                }
            }
        }
        return Certificate.Extension(oid: self.topics, critical: false, value: serializer.serializedBytes[...])
    }

    private static func kind(of topic: Topic) -> String {
        ["voip", "complication"].first { topic.rawValue.hasSuffix(".\($0)") } ?? "app"
    }

    /// Returns the topics in an extension that lists topics.
    static func topics(in list: Certificate.Extension) throws -> [Topic] {
        let root = try DER.parse(Array(list.value))
        return try DER.sequence(root, identifier: .sequence) { nodes in
            var topics: [Topic] = []
            while let node = nodes.next() {
                guard node.identifier == .utf8String else { continue }
                topics.append(Topic(rawValue: String(try ASN1UTF8String(derEncoded: node))))
            }
            return topics
        }
    }
}

extension ProviderCertificate {
    /// Reads a certificate that an authority has signed.
    init(_ certificate: Certificate, signedBy authority: Certificate) throws(CertificateError) {
        let attributes = certificate.subject.flatMap { Array($0) }
        let userID = attributes.first { $0.type == ProviderCertificateField.userID }.flatMap { String($0.value) }
        guard let userID, !userID.isEmpty else {
            throw CertificateError(description: "the subject of the certificate has no UID, which must be the topic")
        }
        var listed: [Topic] = []
        var environments: Set<PushEnvironment> = []
        for one in certificate.extensions {
            switch one.oid {
            case ProviderCertificateField.sandbox: environments.insert(.sandbox)
            case ProviderCertificateField.production: environments.insert(.production)
            case ProviderCertificateField.topics:
                guard let topics = try? ProviderCertificateField.topics(in: one) else {
                    throw CertificateError(description: "the list of topics in the certificate cannot be read")
                }
                listed = topics
            default: break
            }
        }
        let own = Topic(rawValue: userID)
        let start = Timestamp(max(certificate.notValidBefore, authority.notValidBefore))
        let end = Timestamp(min(certificate.notValidAfter, authority.notValidAfter))
        guard start <= end else { throw CertificateError(description: "the certificate is never valid") }
        self.init(
            topics: [own] + listed.filter { $0 != own },
            environments: environments.isEmpty ? [.sandbox, .production] : environments,
            validity: start...end
        )
    }
}

extension Timestamp {
    fileprivate init(_ date: Date) {
        self.init(milliseconds: Int(date.timeIntervalSince1970 * 1_000))
    }
}
