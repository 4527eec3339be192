import Foundation

/// A secret of a run, and the files that are meant to have it.
struct RunSecret: Sendable {
    /// The kind of secret, for messages.
    let name: String

    /// The secret, as programs send it or files have it.
    let text: String

    /// The files that are meant to have it, as paths in the folder of the run; only their owner may read them.
    let files: [String]

    /// The number of characters that reveal a secret: a shortened one is found, too.
    private static let length = 24

    init(_ name: String, _ text: String, in files: [String] = []) {
        (self.name, self.text, self.files) = (name, text, files)
    }

    /// The bytes by which the secret is found: its beginning as text and, if that is hexadecimal, as bytes.
    private var patterns: [Data] {
        let beginning = Array(text.prefix(Self.length))
        let bytes = stride(from: 0, to: beginning.count - 1, by: 2).compactMap { position in
            UInt8(String(beginning[position...position + 1]), radix: 16)
        }
        let isHexadecimal = bytes.count * 2 == beginning.count
        return [Data(String(beginning).utf8)] + (isHexadecimal ? [Data(bytes)] : [])
    }

    /// Whether some bytes have the secret.
    func isContained(in data: Data) -> Bool {
        patterns.contains { data.range(of: $0) != nil }
    }

    /// A file that has a secret.
    struct Place: Sendable, Equatable {
        /// The name of the secret.
        let secret: String

        /// The path in the folder.
        let path: String

        /// The permissions of the file.
        let mode: Int
    }

    /// Returns the files in a folder, and in those below, that have one of the secrets.
    static func places(of secrets: [Self], in folder: String) throws -> [Place] {
        let files = FileManager.default
        return try files.subpathsOfDirectory(atPath: folder).sorted().flatMap { path -> [Place] in
            let attributes = try files.attributesOfItem(atPath: folder + "/" + path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { return [] }
            let data = try Data(contentsOf: URL(filePath: folder + "/" + path))
            return secrets.filter { $0.isContained(in: data) }.map { secret in
                Place(secret: secret.name, path: path, mode: attributes[.posixPermissions] as? Int ?? 0)
            }
        }
    }

    /// Returns a line of a private key in PEM that has nothing but bytes of the key's private half.
    ///
    /// The first lines have the algorithm and, of an RSA key, the modulus, which certificates have, too.
    static func privateLine(ofPEM path: String) throws -> String {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        guard let start = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN") && $0.hasSuffix("PRIVATE KEY-----") }),
            let end = lines[start...].firstIndex(where: { $0.hasPrefix("-----END") })
        else { throw NoPrivateKey(path: path) }
        return end - start > 10 ? lines[start + 10] : lines[start + 2]
    }

    struct NoPrivateKey: Error {
        let path: String
    }
}
