internal import Foundation
internal import SwiftASN1
internal import X509

/// The authorities whose certificates providers may show.
package struct ProviderAuthorities: Sendable {
    private let certificates: [Certificate]

    /// Reads the authorities of a file.
    ///
    /// - Parameter path: the path of their certificates, in PEM.
    /// - Throws: `AuthorityFolder.FolderError` where there are none.
    package init(path: String) throws(AuthorityFolder.FolderError) {
        do {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            certificates = try PEMDocument.parseMultiple(pemString: text).map { try Certificate(pemDocument: $0) }
        } catch {
            throw AuthorityFolder.FolderError(description: "\(path): no certificates in PEM can be read")
        }
        guard !certificates.isEmpty else {
            throw AuthorityFolder.FolderError(description: "\(path): there are no certificates in it")
        }
        for certificate in certificates where !certificate.isAuthority {
            throw AuthorityFolder.FolderError(
                description: "\(path): '\(certificate.subject)' is no authority's certificate"
            )
        }
    }

    /// Reads what a certificate says that one of the authorities has signed itself.
    ///
    /// Whether it is valid now is not looked at. Complexity: a signature is checked.
    ///
    /// - Parameter bytes: the certificate, in DER.
    /// - Returns: what it says.
    /// - Throws: `ProviderCertificate.CertificateError` where it is none of a provider.
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
                    "the certificate is not signed by an authority that is trusted here (waypost ca client, --client-ca)"
            )
        }
        guard certificate.isForClients else {
            throw ProviderCertificate.CertificateError(description: "the certificate is none for a client")
        }
        return try ProviderCertificate(certificate, signedBy: signer)
    }
}

extension Certificate {
    /// Whether it may sign others (RFC 5280, section 4.2.1.9).
    fileprivate var isAuthority: Bool {
        guard case .isCertificateAuthority = try? extensions.basicConstraints else { return false }
        return true
    }

    /// Whether it is for clients, as one is that does not say what it is for (RFC 5280, section 4.2.1.12).
    fileprivate var isForClients: Bool {
        do {
            guard let usage = try extensions.extendedKeyUsage else { return true }
            return usage.contains(.clientAuth) || usage.contains(.any)
        } catch {
            return false
        }
    }
}
