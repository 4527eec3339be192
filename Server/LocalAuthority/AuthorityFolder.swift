internal import Cryptography
package import Foundation
internal import LocalFiles
package import WaypostSchema

/// The folder of a machine's certificate authority: the certificate that clients trust, the server's certificate, and
/// their keys.
package struct AuthorityFolder: Sendable {
    /// The path of the folder.
    package let path: String

    /// The reason why a folder cannot be used.
    package struct FolderError: Error, Sendable, Equatable, CustomStringConvertible {
        /// A description of the reason.
        package let description: String
    }

    /// The host names that clients expect: the current and the old hosts of APNs, and those of broadcast channels.
    package static let hosts = [
        "localhost", "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com",
        "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com",
        "api-manage-broadcast.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com",
        "gateway.push.apple.com", "gateway.sandbox.push.apple.com", "feedback.push.apple.com",
        "feedback.sandbox.push.apple.com", "*.push.apple.com", "*.sandbox.push.apple.com",
    ]

    private static let addresses = ["127.0.0.1", "::1"]

    /// The time before its expiry at which a server's certificate is renewed.
    private static let renewalPeriod: TimeInterval = 30 * 24 * 60 * 60

    /// Creates the value for a folder, which need not exist.
    package init(path: String) {
        self.path = path
    }

    /// The path of the authority's certificate.
    package var authorityCertificatePath: String { path + "/ca.pem" }

    /// The authority's certificate in PEM, without anything else that its file may have; `nil` if it cannot be read.
    package var authorityCertificate: String? {
        let text = FileContents.text(regularAt: authorityCertificatePath)
        return text.flatMap { Certificate.all(inPEM: $0).first?.pem }
    }

    /// The path of the server's certificate, followed by the authority's certificate.
    package var serverCertificatePath: String { path + "/server.pem" }

    /// The path of the server's key.
    package var serverKeyPath: String { path + "/server-key.pem" }

    private var authorityKeyPath: String { path + "/ca-key.pem" }

    /// Creates the folder, the authority and a server's certificate, if they are missing.
    ///
    /// It replaces a server's certificate that expires within a month, or lacks one of the hosts.
    ///
    /// - Parameters:
    ///   - hosts: the names and addresses by which clients call the server, besides `AuthorityFolder.hosts` and those of loopback.
    ///   - sources: the sources of time and random numbers.
    /// - Returns: whether the authority is new, so that no client trusts it yet.
    /// - Throws: `FolderError`; existing files are left unchanged.
    @discardableResult
    package func prepare(
        for hosts: [String] = [],
        _ sources: LocalAuthority.Sources
    ) throws(FolderError) -> Bool {
        do {
            try AtomicFile.createFolder(path)
            let existingAuthority = try readAuthority()
            let authority = try existingAuthority ?? LocalAuthority(sources)
            if existingAuthority == nil {
                try write(authority.identity.key.pem, to: authorityKeyPath)
                try write(authority.identity.certificate.pem, to: authorityCertificatePath)
            }
            let isCurrent =
                existingAuthority != nil
                && hasCurrentServerCertificate(for: hosts, signedBy: authority, at: sources.now())
            if !isCurrent {
                let serverIdentity = try authority.makeServerCertificate(
                    names: Self.hosts + hosts.filter { !Certificate.isAddress($0) },
                    addresses: Self.addresses + hosts.filter(Certificate.isAddress),
                    sources
                )
                try write(serverIdentity.key.pem, to: serverKeyPath)
                let chain = serverIdentity.certificate.pem + authority.identity.certificate.pem
                try write(chain, to: serverCertificatePath)
            }
            return existingAuthority == nil
        } catch let error as FolderError {
            throw error
        } catch let error as CryptographyError {
            throw FolderError(description: "\(path): cannot create the certificates: \(error)")
        } catch {
            throw FolderError(description: "\(path): cannot create the certificates: \(SystemError.reason(of: error))")
        }
    }

    /// Creates a provider's certificate and writes it with its key to one file that only its owner can read.
    ///
    /// - Parameters:
    ///   - topics: the topics that the provider may send to, its own first.
    ///   - environments: the environments that the provider may send to.
    ///   - keyType: the type of its key.
    ///   - format: the format of the file.
    ///   - path: the path of the file; an existing file is replaced.
    ///   - sources: the sources of time and random numbers.
    /// - Throws: `FolderError`, for example if the folder has no authority.
    package func makeProviderCertificate(
        topics: [Topic],
        environments: Set<PushEnvironment>,
        keyType: ProviderKeyType = .rsa,
        format: ProviderCertificateFormat = .pem,
        at path: String,
        _ sources: LocalAuthority.Sources
    ) throws(FolderError) {
        do {
            guard let authority = try readAuthority() else {
                throw FolderError(
                    description: "\(self.path): contains no certificate authority"
                )
            }
            let identity = try authority.makeProviderCertificate(
                topics: topics,
                environments: environments,
                keyType: keyType,
                sources
            )
            try write(try identity.content(in: format), to: path)
        } catch let error as FolderError {
            throw error
        } catch let error as CryptographyError {
            throw FolderError(description: "\(path): cannot create the certificate: \(error)")
        } catch {
            throw FolderError(description: "\(path): cannot create the certificate: \(SystemError.reason(of: error))")
        }
    }

    /// Returns the authority of the folder; `nil` if there is none.
    private func readAuthority() throws -> LocalAuthority? {
        let hasCertificate = Self.fileExists(at: authorityCertificatePath)
        let hasKey = Self.fileExists(at: authorityKeyPath)
        guard hasCertificate || hasKey else { return nil }
        guard let certificatePEM = FileContents.text(regularAt: authorityCertificatePath),
            let certificate = Certificate.all(inPEM: certificatePEM).first,
            let keyPEM = FileContents.text(regularAt: authorityKeyPath),
            let key = P256PrivateKey(pem: keyPEM),
            certificate.matches(key)
        else {
            throw FolderError(
                description: "\(path): 'ca.pem' and 'ca-key.pem' are not a certificate with its P-256 key; remove both "
                    + "files to create a new authority"
            )
        }
        return LocalAuthority(LocalAuthority.Identity(certificate: certificate, key: key))
    }

    /// The time at which the server's certificate expires; `nil` if there is none that can be read.
    package var serverExpiry: Date? {
        storedServerCertificate?.notValidAfter
    }

    private var storedServerCertificate: Certificate? {
        guard let pem = FileContents.text(regularAt: serverCertificatePath) else { return nil }
        return Certificate.all(inPEM: pem).first
    }

    /// Whether the folder has a server's certificate of the authority for all hosts that need not be renewed, and its
    /// key.
    private func hasCurrentServerCertificate(
        for hosts: [String],
        signedBy authority: LocalAuthority,
        at now: Date
    ) -> Bool {
        guard Self.fileExists(at: serverKeyPath), let certificate = storedServerCertificate else { return false }
        return certificate.isSigned(by: authority.identity.certificate) && hosts.allSatisfy(certificate.isValid)
            && certificate.notValidAfter.map { $0 > now + Self.renewalPeriod } ?? false
    }

    private static func fileExists(at path: String) -> Bool {
        FileManager.default.fileExists(atPath: path)
    }

    private func write(_ string: String, to path: String) throws {
        try write(Array(string.utf8), to: path)
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        do throws(SystemError) {
            try AtomicFile.write(bytes, to: path)
        } catch {
            throw FolderError(description: "\(path): cannot be written: \(error)")
        }
    }
}
