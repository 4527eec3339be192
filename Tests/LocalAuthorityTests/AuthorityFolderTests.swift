import Foundation
import LocalAuthority
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct AuthorityFolderTests {
    private static let noon = Date(timeIntervalSince1970: 1_790_000_000)

    private static func sources(_ now: Date = noon) -> LocalAuthority.Sources {
        LocalAuthority.Sources(now: { now }, randomBytes: { Array(repeating: 7, count: $0) })
    }

    /// Returns the certificates of a file, each as its text in PEM.
    private static func certificates(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: /(?=-----BEGIN)/).map(String.init)
            .filter { $0.contains("BEGIN CERTIFICATE") }
    }

    /// Returns what the program `openssl` prints of the first certificate of a file.
    private static func printed(_ path: String, _ options: String...) async throws -> String {
        let command = ["openssl", "x509", "-in", path, "-noout"] + options
        return String(decoding: try await ExternalCommand.run(command), as: UTF8.self)
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
        let chain = try Self.certificates(folder.serverCertificatePath)
        #expect(chain.count == 2)
        #expect(try chain.last == Self.certificates(folder.authorityCertificatePath).first)
        withExtendedLifetime(scratch) {}
    }

    @Test func pipeInThePlaceOfTheCertificateIsNotWaitedFor() throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path)
        try #require(mkfifo(folder.authorityCertificatePath, 0o600) == 0)
        #expect(folder.authorityCertificate == nil)
        #expect(throws: AuthorityFolder.FolderError.self) { try folder.prepare(Self.sources()) }
        withExtendedLifetime(scratch) {}
    }

    @Test func certificateOfTheAuthorityIsOnlyForSigning() async throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path(of: "ca"))
        try folder.prepare(Self.sources())
        let text = try await Self.printed(folder.authorityCertificatePath, "-text")
        for part in [
            "Version: 3 ", "Serial Number:\n            01:07:07:07:", "ecdsa-with-SHA256",
            "Issuer: CN = Waypost local authority", "Subject: CN = Waypost local authority",
            "Not Before: Sep 20 14:13:20 2026 GMT", "Not After : Sep 18 14:13:20 2036 GMT", "NIST CURVE: P-256",
            "Basic Constraints: critical\n                CA:TRUE, pathlen:0",
            "Key Usage: critical\n                Certificate Sign, CRL Sign", "X509v3 Subject Key Identifier",
        ] {
            #expect(text.contains(part), "\(part) is missing in \(text)")
        }
        withExtendedLifetime(scratch) {}
    }

    @Test func certificateOfTheServerIsMadeAgainForAnotherHost() async throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path(of: "ca"))
        try folder.prepare(Self.sources())
        let authority = try Self.certificates(folder.authorityCertificatePath)
        #expect(try !folder.prepare(for: ["waypost", "10.0.0.7"], Self.sources()))
        let text = try await Self.printed(folder.serverCertificatePath, "-text")
        #expect(text.contains("DNS:waypost") && text.contains("IP Address:10.0.0.7") && text.contains("DNS:localhost"))
        #expect(try Self.certificates(folder.authorityCertificatePath) == authority)
        // It is for these hosts, and for fewer.
        let chain = try Self.certificates(folder.serverCertificatePath)
        for hosts in [["waypost"], []] { try folder.prepare(for: hosts, Self.sources()) }
        #expect(try Self.certificates(folder.serverCertificatePath) == chain)
        withExtendedLifetime(scratch) {}
    }

    @Test func certificateOfTheServerIsForTheHostsOfAPNs() async throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path(of: "ca"))
        try folder.prepare(Self.sources())
        let text = try await Self.printed(folder.serverCertificatePath, "-text")
        for part in [
            "Subject: CN = localhost", "Not After : Oct 23 14:13:20 2027 GMT",
            "Basic Constraints: critical\n                CA:FALSE",
            "Key Usage: critical\n                Digital Signature",
            "Extended Key Usage: \n                TLS Web Server Authentication", "X509v3 Authority Key Identifier",
            "IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1",
        ] + AuthorityFolder.hosts.map({ "DNS:\($0)," }) {
            #expect(text.contains(part), "\(part) is missing in \(text)")
        }
        withExtendedLifetime(scratch) {}
    }

    @Test func certificateOfAProviderHasTheFieldsOfApples() async throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path(of: "ca"))
        try folder.prepare(Self.sources())
        // Longer than a common name may be by X.520, as many bundle identifiers are.
        let long = Topic(rawValue: "com.example." + String(repeating: "very-", count: 20) + "long")
        let path = scratch.path(of: "provider.pem")
        try folder.makeProviderCertificate(
            topics: [long, "com.example.voip"],
            environments: [.sandbox],
            at: path,
            Self.sources()
        )
        let subject = try await Self.printed(path, "-subject", "-nameopt", "RFC2253")
        #expect(subject == "subject=CN=Waypost Push Services: \(long),UID=\(long)\n")
        let fields = try await Self.printed(path, "-text")
        #expect(fields.contains("1.2.840.113635.100.6.3.1: \n                ..\n"), "\(fields)")
        #expect(fields.contains("\(long)0...app..com.example.voip0...voip"), "\(fields)")
        #expect(!fields.contains("1.2.840.113635.100.6.3.2"))
        withExtendedLifetime(scratch) {}
    }

    @Test(arguments: [(ProviderKeyType.rsa, "Public-Key: (2048 bit)"), (.ec, "NIST CURVE: P-256")])
    func certificateOfAProviderHasAKeyOfItsType(_ type: ProviderKeyType, _ description: String) async throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path(of: "ca"))
        try folder.prepare(Self.sources())
        let path = scratch.path(of: "provider.pem")
        try folder.makeProviderCertificate(topics: ["a"], environments: [], keyType: type, at: path, Self.sources())
        let text = try await Self.printed(path, "-text")
        #expect(text.contains(description), "\(text)")
        // The key belongs to the certificate.
        let publicKey = try await ExternalCommand.run(["openssl", "x509", "-in", path, "-noout", "-pubkey"])
        #expect(try await ExternalCommand.run(["openssl", "pkey", "-in", path, "-pubout"]) == publicKey)
        withExtendedLifetime(scratch) {}
    }

    @Test(
        arguments: [
            (false, "PBES2, PBKDF2, AES-256-CBC", "MAC: sha256"),
            (true, "pbeWithSHA1And3-KeyTripleDES-CBC", "MAC: sha1"),
        ]
    )
    func pkcs12HasTheCertificateAndItsKey(_ isLegacy: Bool, _ cipher: String, _ digest: String) async throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path(of: "ca"))
        try folder.prepare(Self.sources())
        let path = scratch.path(of: "provider.p12")
        try folder.makeProviderCertificate(
            topics: ["com.example.clowntown"],
            environments: [],
            format: .pkcs12(password: "honk", isLegacy: isLegacy),
            at: path,
            Self.sources()
        )
        let read = ["openssl", "pkcs12", "-in", path, "-passin", "pass:honk", "-nodes"]
        let text = String(decoding: try await ExternalCommand.run(read), as: UTF8.self)
        #expect(text.contains("BEGIN CERTIFICATE") && text.contains("BEGIN PRIVATE KEY"))
        // Versions of OpenSSL print the name with or without spaces.
        #expect(text.contains(/UID ?= ?com\.example\.clowntown/), "\(text)")
        let pipe = "\(read.joined(separator: " ")) -info -noout 2>&1"
        let info = String(decoding: try await ExternalCommand.run(["sh", "-c", pipe]), as: UTF8.self)
        #expect(info.contains(cipher) && info.contains(digest), "\(info)")
        await #expect(throws: (any Error).self) {
            try await ExternalCommand.run(["openssl", "pkcs12", "-in", path, "-passin", "pass:other", "-nodes"])
        }
        withExtendedLifetime(scratch) {}
    }

    @Test func openSSLTrustsTheServerCertificate() async throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path(of: "ca"))
        try folder.prepare(Self.sources(Date()))
        for name in [["-verify_hostname", "api.push.apple.com"], ["-verify_ip", "::1"], ["-verify_ip", "127.0.0.1"]] {
            let command = [
                "openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile",
                folder.authorityCertificatePath,
            ]
            let answer = try await ExternalCommand.run(command + name + [folder.serverCertificatePath])
            #expect(String(decoding: answer, as: UTF8.self).hasSuffix("OK\n"))
        }
        withExtendedLifetime(scratch) {}
    }

    @Test func existingCertificatesAreKeptUntilTheyNearlyExpire() throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path(of: "ca"))
        try folder.prepare(Self.sources())
        let before = try Self.certificates(folder.serverCertificatePath)
        #expect(try !folder.prepare(Self.sources(Self.noon + 300 * 24 * 60 * 60)))
        #expect(try Self.certificates(folder.serverCertificatePath) == before)
        // A month before the server certificate expires, the same authority issues a new one.
        #expect(try !folder.prepare(Self.sources(Self.noon + 380 * 24 * 60 * 60)))
        let after = try Self.certificates(folder.serverCertificatePath)
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
