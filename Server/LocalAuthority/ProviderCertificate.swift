internal import COpenSSL
internal import Foundation
internal import TextBasics
package import WaypostSchema

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

/// The extensions in which an APNs certificate states its purpose.
enum ProviderCertificateField {
    /// The extension that, if present, allows sending to the sandbox.
    private static let sandbox = "1.2.840.113635.100.6.3.1"

    /// The extension that, if present, allows sending to the production environment.
    private static let production = "1.2.840.113635.100.6.3.2"

    /// The extension that lists several topics, each with the kinds of push it is for.
    private static let topics = "1.2.840.113635.100.6.3.6"

    private static let environments = [(PushEnvironment.sandbox, sandbox), (.production, production)]

    /// Returns the extensions whose presence allows sending to `environments`.
    static func extensions(of environments: Set<PushEnvironment>) -> [CertificateContents.Extension] {
        Self.environments.filter { environments.contains($0.0) }.map { .init(name: $0.1, value: "ASN1:NULL") }
    }

    /// Returns the extension that lists `topics`.
    static func topicList(of topics: [Topic]) -> CertificateContents.Extension {
        let items = topics.map { topic in
            DER.string(topic.rawValue) + DER.sequence([DER.string(kind(of: topic))])
        }
        return .init(name: Self.topics, value: "DER:" + Hexadecimal.string(DER.sequence(items)))
    }

    private static func kind(of topic: Topic) -> String {
        ["voip", "complication"].first { topic.rawValue.hasSuffix(".\($0)") } ?? "app"
    }

    /// Returns the environments that a certificate names.
    static func environments(of certificate: Certificate) -> Set<PushEnvironment> {
        Set(environments.filter { certificate.content(ofExtension: $0.1) != nil }.map(\.0))
    }

    /// Returns the topics that a certificate lists; `nil` if the list cannot be read.
    static func topics(of certificate: Certificate) -> [Topic]? {
        guard let list = certificate.content(ofExtension: topics) else { return [] }
        return DER.strings(inSequence: list)?.map(Topic.init(rawValue:))
    }
}

/// Values in the distinguished encoding rules (ITU-T X.690).
private enum DER {
    /// Returns a sequence of encoded values.
    static func sequence(_ values: [[UInt8]]) -> [UInt8] {
        element(tag: 0x30, Array(values.joined()))
    }

    /// Returns a string in UTF-8.
    static func string(_ string: String) -> [UInt8] {
        element(tag: 0x0c, Array(string.utf8))
    }

    private static func element(tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length = [UInt8(truncatingIfNeeded: content.count)]
        if content.count > 0x7f {
            while case let rest = content.count >> (8 * length.count), rest > 0 {
                length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            }
            length.insert(0x80 | UInt8(length.count), at: 0)
        }
        return [tag] + length + content
    }

    /// Returns the strings in UTF-8 of a sequence, without those of its parts; `nil` if the bytes are not a sequence.
    static func strings(inSequence bytes: [UInt8]) -> [String]? {
        let values = bytes.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            let values = d2i_ASN1_SEQUENCE_ANY(nil, &next, bytes.count)
            return values.map { ($0, isComplete: next == bytes.baseAddress.map { $0 + bytes.count }) }
        }
        guard let (values, isComplete) = values else { return nil }
        defer { OPENSSL_sk_pop_free(values) { ASN1_TYPE_free($0?.assumingMemoryBound(to: ASN1_TYPE.self)) } }
        guard isComplete else { return nil }
        var strings: [String] = []
        for index in 0..<OPENSSL_sk_num(values) {
            let value = OPENSSL_sk_value(values, index)?.assumingMemoryBound(to: ASN1_TYPE.self).pointee
            guard let value, value.type == V_ASN1_UTF8STRING, let stringPointer = value.value.utf8string else {
                continue
            }
            let bytes = UnsafeBufferPointer(
                start: ASN1_STRING_get0_data(stringPointer),
                count: Int(ASN1_STRING_length(stringPointer))
            )
            guard let string = String(validating: bytes, as: UTF8.self) else { return nil }
            strings.append(string)
        }
        return strings
    }
}

extension ProviderCertificate {
    /// Reads a certificate that an authority has signed.
    init(_ certificate: Certificate, signedBy authority: Certificate) throws(CertificateError) {
        guard let userID = certificate.userID, !userID.isEmpty else {
            throw CertificateError(description: "the subject of the certificate has no UID, which must be the topic")
        }
        guard let topics = ProviderCertificateField.topics(of: certificate) else {
            throw CertificateError(description: "the list of topics in the certificate cannot be read")
        }
        let environments = ProviderCertificateField.environments(of: certificate)
        let firstTopic = Topic(rawValue: userID)
        guard let notBefore = certificate.notValidBefore, let notAfter = certificate.notValidAfter,
            let authorityNotBefore = authority.notValidBefore, let authorityNotAfter = authority.notValidAfter
        else { throw CertificateError(description: "the times of the certificate cannot be read") }
        let start = Timestamp(max(notBefore, authorityNotBefore))
        let end = Timestamp(min(notAfter, authorityNotAfter))
        guard start <= end else { throw CertificateError(description: "the certificate is never valid") }
        self.init(
            topics: [firstTopic] + topics.filter { $0 != firstTopic },
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
