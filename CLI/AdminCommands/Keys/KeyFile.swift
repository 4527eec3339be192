internal import Crypto
internal import Foundation
internal import LocalFiles
internal import WaypostSchema

/// A private key as Apple hands it out: PKCS #8 in PEM, in a file that is named `AuthKey_` and its identifier.
struct KeyFile {
    let id: ProviderKeyID

    /// The public half, in PEM.
    let publicKey: String
}

extension KeyFile {
    private static let prefix = "AuthKey_"

    /// The characters of identifiers that Apple makes.
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - id: its identifier; `nil` for the one in the file's name.
    /// - Throws: `CommandFailure` where there is no such key, or no identifier.
    init(reading path: String, id: String?) throws {
        guard let contents = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw CommandFailure.unusable("\(path): cannot be read")
        }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: contents) else {
            throw CommandFailure.unusable("\(path): this is no P-256 key in PEM, with 'BEGIN PRIVATE KEY'")
        }
        guard let id = id ?? Self.id(inNameOf: path) else {
            throw CommandFailure.unusable("\(path): --id is needed where the file is not named AuthKey_ID.p8")
        }
        self.init(id: ProviderKeyID(rawValue: id), publicKey: key.publicKey.pemRepresentation)
    }

    /// Makes a key and writes its private half to a file that only its owner may read.
    ///
    /// - Parameters:
    ///   - path: the file, which must not be there; `nil` for the one that is named after the key.
    ///   - id: its identifier; `nil` for one that is made.
    /// - Returns: the key, and the path of its file.
    /// - Throws: `CommandFailure` where the file is there, or cannot be written.
    static func make(path: String?, id: String?) throws -> (key: Self, path: String) {
        let id = id ?? String((0..<10).compactMap { _ in alphabet.randomElement() })
        let path = path ?? "\(prefix)\(id).p8"
        let key = P256.Signing.PrivateKey()
        do throws(SystemError) {
            try OpenFile(path: path, O_WRONLY | O_CREAT | O_EXCL).write(Array((key.pemRepresentation + "\n").utf8))
        } catch {
            throw CommandFailure.unusable("\(path): \(error)")
        }
        return (Self(id: ProviderKeyID(rawValue: id), publicKey: key.publicKey.pemRepresentation), path)
    }

    private static func id(inNameOf path: String) -> String? {
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
    }
}
