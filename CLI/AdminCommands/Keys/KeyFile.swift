internal import Cryptography
internal import Foundation
internal import LocalFiles
internal import WaypostSchema

/// A private key as Apple issues it: PKCS #8 in PEM, in a file named `AuthKey_` plus the key's identifier.
struct KeyFile {
    let id: ProviderKeyID

    /// The public key, in PEM.
    let publicKey: String
}

extension KeyFile {
    private static let prefix = "AuthKey_"

    /// The characters of Apple's key identifiers.
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

    /// Reads a key file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - id: the key's identifier, or `nil` for the one in the file's name.
    /// - Throws: `CommandFailure` if the file has no such key, or if there is no identifier.
    init(reading path: String, id: String?) throws {
        let contents = try InputFile(path: path).readText()
        guard let key = P256PrivateKey(pem: contents) else {
            throw CommandFailure.unusable("\(path): not a P-256 private key in PEM (with 'BEGIN PRIVATE KEY')")
        }
        guard let id = id ?? Self.id(inNameOf: path) else {
            throw CommandFailure.unusable("\(path): --id is needed unless the file is named AuthKey_ID.p8")
        }
        self.init(id: ProviderKeyID(rawValue: id), publicKey: key.publicKey.pem)
    }

    /// Creates a key, and writes its private half to a file that only its owner can read.
    ///
    /// - Parameters:
    ///   - path: the file, which must not exist, or `nil` to name it after the key.
    ///   - id: the key's identifier, or `nil` to generate one.
    /// - Returns: the key, and the path of its file.
    /// - Throws: `CommandFailure` if the file exists or cannot be written.
    static func make(path: String?, id: String?) throws -> (key: Self, path: String) {
        let id = id ?? String((0..<10).compactMap { _ in alphabet.randomElement() })
        let path = path ?? "\(prefix)\(id).p8"
        let key = P256PrivateKey()
        do throws(SystemError) {
            try OpenFile(path: path, O_WRONLY | O_CREAT | O_EXCL).write(Array((key.pem + "\n").utf8))
        } catch {
            throw CommandFailure.unusable("\(path): \(error)")
        }
        return (Self(id: ProviderKeyID(rawValue: id), publicKey: key.publicKey.pem), path)
    }

    private static func id(inNameOf path: String) -> String? {
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
    }
}
