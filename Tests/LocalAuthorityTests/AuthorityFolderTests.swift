import Crypto
import Foundation
import LocalAuthority
import SwiftASN1
import Testing
import WaypostTestSupport
import X509

@Suite struct AuthorityFolderTests {
    private static let noon = Date(timeIntervalSince1970: 1_790_000_000)

    private static func sources(_ now: Date = noon) -> LocalAuthority.Sources {
        LocalAuthority.Sources(now: { now }, randomBytes: { Array(repeating: 7, count: $0) })
    }

    private static func certificates(_ path: String) throws -> [Certificate] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: /(?=-----BEGIN)/)
            .filter { $0.contains("BEGIN") }
            .map { try Certificate(pemEncoded: String($0)) }
    }

    @Test func folderIsCreatedWithAllFilesAndPrivateKeys() throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path(of: "data/ca"))
        #expect(try folder.prepare(Self.sources()))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["ca-key.pem", "ca.pem", "server-key.pem", "server.pem"])
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        let authority = try #require(try Self.certificates(folder.authorityCertificate).first)
        let chain = try Self.certificates(folder.serverCertificate)
        #expect(chain.count == 2)
        #expect(chain.last == authority)
        let server = try #require(chain.first)
        #expect(authority.publicKey.isValidSignature(server.signature, for: server))
        let constraints = try server.extensions.basicConstraints
        #expect(constraints == .notCertificateAuthority)
        let alternatives = try #require(try server.extensions.subjectAlternativeNames)
        for host in AuthorityFolder.hosts { #expect(alternatives.contains(.dnsName(host))) }
        withExtendedLifetime(scratch) {}
    }

    @Test func openSSLTrustsTheServerCertificate() async throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path(of: "ca"))
        try folder.prepare(Self.sources(Date()))
        for name in [["-verify_hostname", "api.push.apple.com"], ["-verify_ip", "::1"], ["-verify_ip", "127.0.0.1"]] {
            let command =
                ["openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", folder.authorityCertificate]
            let answer = try await ExternalCommand.run(command + name + [folder.serverCertificate])
            #expect(String(decoding: answer, as: UTF8.self).hasSuffix("OK\n"))
        }
        withExtendedLifetime(scratch) {}
    }

    @Test func existingCertificatesAreKeptUntilTheyNearlyExpire() throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path(of: "ca"))
        try folder.prepare(Self.sources())
        let before = try Self.certificates(folder.serverCertificate)
        #expect(try !folder.prepare(Self.sources(Self.noon + 300 * 24 * 60 * 60)))
        #expect(try Self.certificates(folder.serverCertificate) == before)
        // A month before the server certificate expires, the same authority issues a new one.
        #expect(try !folder.prepare(Self.sources(Self.noon + 380 * 24 * 60 * 60)))
        let after = try Self.certificates(folder.serverCertificate)
        #expect(after.first != before.first && after.last == before.last)
        withExtendedLifetime(scratch) {}
    }

    @Test(arguments: ["ca.pem", "ca-key.pem"]) func incompleteAuthorityIsNotReplaced(_ name: String) throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path(of: "ca"))
        try folder.prepare(Self.sources())
        try Data("none".utf8).write(to: URL(filePath: folder.path + "/" + name))
        let error = #expect(throws: AuthorityFolder.FolderError.self) { try folder.prepare(Self.sources()) }
        #expect(error?.description.contains("remove both") == true)
        try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        #expect(throws: AuthorityFolder.FolderError.self) { try folder.prepare(Self.sources()) }
        withExtendedLifetime(scratch) {}
    }

    @Test func folderThatCannotBeCreatedIsNamedInTheError() {
        let error = #expect(throws: AuthorityFolder.FolderError.self) {
            try AuthorityFolder(path: "/dev/null/ca").prepare(Self.sources())
        }
        #expect(error?.description.hasPrefix("/dev/null/ca: ") == true)
    }
}
