internal import Foundation
internal import SwiftASN1
internal import X509

/// The authorities that are trusted to sign provider certificates.
package struct ProviderAuthorities: Sendable {
    private let certificates: [Certificate]

    /// Reads the authorities in a file.
    ///
    /// - Parameter path: the path of their certificates, in PEM.
    /// - Throws: `AuthorityFolder.FolderError` if the file cannot be read, or contains anything but certificates of
    ///   authorities.
    package init(path: String) throws(AuthorityFolder.FolderError) {
        do {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            certificates = try PEMDocument.parseMultiple(pemString: text).map { try Certificate(pemDocument: $0) }
        } catch {
            throw AuthorityFolder.FolderError(description: "\(path): cannot be read as certificates in PEM")
        }
        guard !certificates.isEmpty else {
            throw AuthorityFolder.FolderError(description: "\(path): contains no certificates")
        }
        for certificate in certificates where !certificate.isAuthority {
            throw AuthorityFolder.FolderError(
                description: "\(path): '\(certificate.subject)' is not the certificate of an authority"
            )
        }
    }

    /// Reads a certificate that one of the authorities signed directly.
    ///
    /// This does not check whether the certificate is valid now.
    ///
    /// - Parameter bytes: the certificate, in DER.
    /// - Returns: the contents of the certificate.
    /// - Throws: `ProviderCertificate.CertificateError` if it is not a provider certificate of these authorities.
    /// - Complexity: one signature check for each authority with the issuer's name.
    package func read(_ bytes: [UInt8]) throws(ProviderCertificate.CertificateError) -> ProviderCertificate {
        guard let certificate = try? Certificate(derEncoded: bytes) else {
            throw ProviderCertificate.CertificateError(description: "the certificate cannot be read")
        }
        let signer = certificates.first { authority in
            authority.subject == certificate.issuer
                && authority.publicKey.isValidSignature(certificate.signature, for: certificate)
        }
        guard let signer else {
            throw ProviderCertificate.CertificateError(
                description:
                    "the certificate is not signed by a trusted authority (see waypost ca client and --client-ca)"
            )
        }
        guard certificate.isForClients else {
            throw ProviderCertificate.CertificateError(description: "the certificate is not for a client")
        }
        return try ProviderCertificate(certificate, signedBy: signer)
    }
}

extension Certificate {
    /// Whether the certificate may sign others (RFC 5280, section 4.2.1.9).
    fileprivate var isAuthority: Bool {
        guard case .isCertificateAuthority = try? extensions.basicConstraints else { return false }
        return true
    }

    /// Whether the certificate is for clients; one without an extended key usage is (RFC 5280, section 4.2.1.12).
    fileprivate var isForClients: Bool {
        do {
            guard let usage = try extensions.extendedKeyUsage else { return true }
            return usage.contains(.clientAuth) || usage.contains(.any)
        } catch {
            return false
        }
    }
}
