import Cryptography
import Foundation
import Testing
import WaypostTestSupport

@Suite struct CryptographyTests {
    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }

    /// The examples of FIPS 180-4 (https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines).
    @Test(arguments: [
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func digestIsThatOfTheStandard(_ text: String, _ digest: String) {
        #expect(Self.hex(SHA256.hash(of: Array(text.utf8))) == digest)
    }

    @Test func digestOfPiecesIsThatOfTheWhole() {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let pieces = SHA256()
        for start in stride(from: 0, to: bytes.count, by: 77) {
            pieces.update(Array(bytes[start..<min(start + 77, bytes.count)]))
        }
        #expect(pieces.finish() == SHA256.hash(of: bytes))
    }

    @Test func signatureIsValidForItsMessageAndKeyOnly() throws {
        let (key, other) = (P256PrivateKey(), P256PrivateKey())
        let message = Array("Crusty is near".utf8)
        let signature = try key.signature(of: message)
        #expect(key.publicKey.isValid(signature, of: message))
        #expect(!key.publicKey.isValid(signature, of: message + [0]))
        #expect(!other.publicKey.isValid(signature, of: message))
        #expect(try !key.publicKey.isValid(other.signature(of: message), of: message))
    }

    @Test func signatureHasTwoForms() throws {
        let key = P256PrivateKey()
        // Among a hundred signatures are some whose numbers have zeros in front, or need one.
        for number in 0..<100 {
            let message = Array("message \(number)".utf8)
            let signature = try key.signature(of: message)
            #expect(signature.raw.count == 64)
            let raw = try #require(P256Signature(raw: signature.raw))
            let der = try #require(P256Signature(der: signature.der))
            #expect(raw.der == signature.der && der.der == signature.der)
            #expect(key.publicKey.isValid(raw, of: message) && key.publicKey.isValid(der, of: message))
        }
    }

    @Test func otherBytesAreNoSignature() throws {
        let signature = try P256PrivateKey().signature(of: [1])
        for bytes in [[], [0x30], signature.der + [0], Array(signature.der.dropLast()), signature.raw + [0]] {
            #expect(P256Signature(der: bytes) == nil && P256Signature(raw: bytes) == nil)
        }
        // The numbers of this curve have at most 32 bytes.
        let long: [UInt8] = [0x30, 38, 2, 33] + Array(repeating: 1, count: 33) + [2, 1, 1]
        #expect(P256Signature(der: long) == nil)
        // The number 0 is a number, but no key makes such a signature.
        let zero = try #require(P256Signature(raw: Array(repeating: 0, count: 64)))
        #expect(!P256PrivateKey().publicKey.isValid(zero, of: [1]))
    }

    @Test func keyIsReadAsItWasWritten() throws {
        let key = P256PrivateKey()
        let (secret, open) = (key.pem, key.publicKey.pem)
        #expect(secret.hasPrefix("-----BEGIN PRIVATE KEY-----\n") && secret.hasSuffix("\n-----END PRIVATE KEY-----"))
        #expect(open.hasPrefix("-----BEGIN PUBLIC KEY-----\n") && open.hasSuffix("\n-----END PUBLIC KEY-----"))
        #expect(P256PrivateKey(pem: secret)?.pem == secret)
        #expect(P256PrivateKey(pem: secret + "\n")?.publicKey.pem == open)
        #expect(P256PublicKey(pem: open)?.pem == open)
    }

    @Test(arguments: [
        ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"],
        ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"],
        ["genpkey", "-algorithm", "ED25519"],
        // A password would be asked for on the terminal.
        ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-aes128", "-pass", "pass:secret"],
    ])
    func keyOfAnotherKindIsRefused(_ arguments: [String]) async throws {
        let text = String(decoding: try await ExternalCommand.run(["openssl"] + arguments), as: UTF8.self)
        #expect(text.contains("BEGIN"))
        #expect(P256PrivateKey(pem: text) == nil)
        #expect(P256PublicKey(pem: text) == nil)
    }

    /// OpenSSL would ask for a password on the terminal, and the test would wait for one.
    @Test func encryptedTextIsRefusedWithoutAQuestion() {
        let key = P256PrivateKey()
        for pem in [key.pem, key.publicKey.pem] {
            let header = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF\n\n"
            let encrypted = pem.replacing("KEY-----\nM", with: "KEY-----\n\(header)M")
            #expect(encrypted.contains("ENCRYPTED"))
            #expect(P256PrivateKey(pem: encrypted) == nil && P256PublicKey(pem: encrypted) == nil)
        }
    }

    /// For the point at infinity, anyone could sign.
    @Test func pointAtInfinityIsNoKey() throws {
        let identifiers: [UInt8] = [
            0x30, 0x13, 6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, 6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7,
        ]
        let encoded = Data([0x30, 0x19] + identifiers + [3, 2, 0, 0]).base64EncodedString()
        #expect(P256PublicKey(pem: "-----BEGIN PUBLIC KEY-----\n\(encoded)\n-----END PUBLIC KEY-----\n") == nil)
    }

    @Test func halvesOfDifferentKeysAreNoKey() throws {
        let (key, other) = (P256PrivateKey(), P256PrivateKey())
        func bytes(_ pem: String) throws -> [UInt8] {
            let lines = pem.split(separator: "\n").dropFirst().dropLast()
            return Array(try #require(Data(base64Encoded: lines.joined())))
        }
        // Both end with the 64 bytes of the public key.
        let mixed = try bytes(key.pem).dropLast(64) + bytes(other.publicKey.pem).suffix(64)
        let text = "-----BEGIN PRIVATE KEY-----\n\(Data(mixed).base64EncodedString())\n-----END PRIVATE KEY-----\n"
        #expect(P256PrivateKey(pem: text) == nil)
    }

    @Test(arguments: ["", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func otherTextIsNoKey(_ text: String) {
        #expect(P256PrivateKey(pem: text) == nil && P256PublicKey(pem: text) == nil)
    }

    /// The program of OpenSSL makes keys in two formats.
    @Test(arguments: [["-traditional"], []]) func keyOfOpenSSLIsAccepted(_ format: [String]) async throws {
        let scratch = try ScratchFolder()
        let made = ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
        let path = try scratch.write(Data(try await ExternalCommand.run(["openssl"] + made)), to: "key.pem")
        let command = ["openssl", "pkey", "-in", path] + format
        let text = String(decoding: try await ExternalCommand.run(command), as: UTF8.self)
        #expect(text.contains(format.isEmpty ? "BEGIN PRIVATE KEY" : "BEGIN EC PRIVATE KEY"))
        let key = try #require(P256PrivateKey(pem: text))
        let open = String(decoding: try await ExternalCommand.run(command + ["-pubout"]), as: UTF8.self)
        #expect(key.publicKey.pem + "\n" == open)
        withExtendedLifetime(scratch) {}
    }
}
