internal import Foundation
internal import LocalFiles

/// The authorities that are trusted to sign provider certificates.
package struct ProviderAuthorities: Sendable {
    private let certificates: [Certificate]

    /// Reads the authorities in a file.
    ///
    /// - Parameter path: the path of their certificates, in PEM.
    /// - Throws: `AuthorityFolder.FolderError` if the file cannot be read, or contains anything but certificates of
    ///   authorities.
    package init(path: String) throws(AuthorityFolder.FolderError) {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents.bytes(at: path)
        } catch {
            throw AuthorityFolder.FolderError(description: "\(path): cannot be read: \(error)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw AuthorityFolder.FolderError(description: "\(path): cannot be read as certificates in PEM")
        }
        certificates = Certificate.all(inPEM: text)
        guard !certificates.isEmpty else {
            throw AuthorityFolder.FolderError(description: "\(path): contains no certificates")
        }
        guard certificates.count == text.ranges(of: "-----BEGIN ").count else {
            throw AuthorityFolder.FolderError(description: "\(path): cannot be read as certificates in PEM")
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
        guard let certificate = Certificate(der: bytes) else {
            throw ProviderCertificate.CertificateError(description: "the certificate cannot be read")
        }
        guard let signer = certificates.first(where: certificate.isSigned(by:)) else {
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
