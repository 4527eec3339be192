internal import Crypto
internal import Foundation
internal import LocalFiles
internal import SwiftASN1
package import WaypostSchema
internal import X509

/// The folder in which a machine's authority is: its certificate, which others are to trust, and the server's, with their keys.
package struct AuthorityFolder: Sendable {
    /// The path of the folder.
    package let path: String

    /// Why a folder cannot be used.
    package struct FolderError: Error, Sendable, Equatable, CustomStringConvertible {
        /// The reason, for a person.
        package let description: String
    }

    /// The names of the hosts that clients believe to talk to: APNs' of today, of old, and those of broadcast channels.
    package static let hosts = [
        "localhost", "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com",
        "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com",
        "api-manage-broadcast.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com",
        "gateway.push.apple.com", "gateway.sandbox.push.apple.com", "feedback.push.apple.com",
        "feedback.sandbox.push.apple.com", "*.push.apple.com", "*.sandbox.push.apple.com",
    ]

    private static let addresses: [[UInt8]] = [[127, 0, 0, 1], Array(repeating: 0, count: 15) + [1]]

    /// How long before its end a server's certificate is made anew.
    private static let renewal: TimeInterval = 30 * 24 * 60 * 60

    /// Names a folder, which need not be there.
    package init(path: String) {
        self.path = path
    }

    /// The path of the authority's certificate.
    package var authorityCertificate: String { path + "/ca.pem" }

    /// The path of the server's certificate, with the authority's behind it.
    package var serverCertificate: String { path + "/server.pem" }

    /// The path of the server's key.
    package var serverKey: String { path + "/server-key.pem" }

    private var authorityKey: String { path + "/ca-key.pem" }

    /// Makes what is not there yet: the folder, the authority, and a server's certificate that is valid for a month at least.
    ///
    /// - Returns: whether an authority was made, so that nobody trusts it yet.
    /// - Throws: `FolderError`; what is there already is left as it is.
    @discardableResult
    package func prepare(_ sources: LocalAuthority.Sources) throws(FolderError) -> Bool {
        do {
            try WholeFile.createFolder(path)
            let known = try authority()
            let authority = try known ?? LocalAuthority(sources)
            if known == nil {
                try write(authority.identity.key.pemRepresentation, to: authorityKey, isSecret: true)
                try write(Self.text(of: authority.identity.certificate), to: authorityCertificate)
            }
            if known == nil || !isServerGood(signedBy: authority, at: sources.now()) {
                let server = try authority.server(names: Self.hosts, addresses: Self.addresses, sources)
                try write(server.key.pemRepresentation, to: serverKey, isSecret: true)
                let chain = [server.certificate, authority.identity.certificate]
                try write(try chain.map(Self.text).joined(), to: serverCertificate)
            }
            return known == nil
        } catch let error as FolderError {
            throw error
        } catch {
            throw FolderError(description: "\(path): the certificates cannot be made: \(error.localizedDescription)")
        }
    }

    /// Makes a certificate for a provider, and writes it with its key to one file that others may not read.
    ///
    /// - Parameters:
    ///   - topics: the topics it may send to, its own first.
    ///   - environments: the environments it may send to.
    ///   - path: where the file is to be; one that is there is replaced.
    ///   - sources: the time and the randomness.
    /// - Throws: `FolderError`, also where the folder has no authority.
    package func makeProvider(
        topics: [Topic],
        environments: Set<PushEnvironment>,
        at path: String,
        _ sources: LocalAuthority.Sources
    ) throws(FolderError) {
        do {
            guard let authority = try authority() else {
                throw FolderError(description: "\(self.path): there is no authority; waypost ca create makes one")
            }
            let identity = try authority.provider(topics: topics, environments: environments, sources)
            let texts = [try Self.text(of: identity.certificate), identity.key.pemRepresentation + "\n"]
            try write(texts.joined(), to: path, isSecret: true)
        } catch let error as FolderError {
            throw error
        } catch {
            throw FolderError(description: "\(path): the certificate cannot be made: \(error.localizedDescription)")
        }
    }

    /// The authority of the folder; `nil` where there is none.
    private func authority() throws -> LocalAuthority? {
        let (hasCertificate, hasKey) = (Self.isThere(authorityCertificate), Self.isThere(authorityKey))
        guard hasCertificate || hasKey else { return nil }
        guard let text = try? String(contentsOfFile: authorityCertificate, encoding: .utf8),
            let certificate = try? Certificate(pemEncoded: text),
            let secret = try? String(contentsOfFile: authorityKey, encoding: .utf8),
            let key = try? P256.Signing.PrivateKey(pemRepresentation: secret),
            certificate.publicKey == Certificate.PublicKey(key.publicKey)
        else {
            throw FolderError(
                description: "\(path): 'ca.pem' and 'ca-key.pem' are no certificate with its P-256 key; remove both to "
                    + "have them made anew"
            )
        }
        return LocalAuthority(LocalAuthority.Identity(certificate: certificate, key: key))
    }

    private func isServerGood(signedBy authority: LocalAuthority, at now: Date) -> Bool {
        guard Self.isThere(serverKey), let text = try? String(contentsOfFile: serverCertificate, encoding: .utf8),
            let first = try? PEMDocument.parseMultiple(pemString: text).first,
            let certificate = try? Certificate(pemDocument: first)
        else { return false }
        return authority.identity.certificate.publicKey.isValidSignature(certificate.signature, for: certificate)
            && certificate.notValidAfter > now + Self.renewal
    }

    private static func isThere(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path)
    }

    private static func text(of certificate: Certificate) throws -> String {
        try certificate.serializeAsPEM().pemString + "\n"
    }

    private func write(_ text: String, to path: String, isSecret: Bool = false) throws {
        do throws(SystemError) {
            try WholeFile.write(Array(text.utf8), to: path, mode: isSecret ? 0o600 : 0o644)
        } catch {
            throw FolderError(description: "\(path): cannot be written: \(error)")
        }
    }
}
