internal import Cryptography
internal import Foundation
internal import JSONScanning
internal import PushRules
internal import WaypostSchema

/// A provider token as it was sent: an unverified JSON Web Token ("Establishing a token-based connection to APNs").
///
/// It accepts all variants that APNs clients send: raw or DER signatures, both base64 alphabets with or without
/// padding, `iat` as a number or a string, headers without `alg`, and ES512 with a key for ES256.
struct ProviderToken {
    /// The algorithms that clients name in a token's header.
    enum Algorithm: String, Sendable {
        /// ECDSA on P-256 with SHA-256 (RFC 7518, section 3.4).
        case es256 = "ES256"

        /// ECDSA on P-256 with SHA-512, and a signature as long as one on P-521.
        ///
        /// A standard ES512 token needs a key on P-521, and Apple issues none. Clients of pushok have sent this one to APNs
        /// since 2019.
        case es512 = "ES512"
    }

    /// The algorithm of the signature.
    let algorithm: Algorithm

    /// The key that the token claims to be signed with.
    let keyID: ProviderKeyID

    /// The team that the token claims to come from.
    let team: TeamID

    /// The time at which the token claims to be issued, in seconds since 1970.
    let issuedAt: Int

    private let signedBytes: [UInt8]
    private let signature: P256Signature

    private struct Header: Decodable {
        let alg: String?
        let kid: String?

        /// Whether the header names parameters that every recipient must understand.
        let hasCriticalParameters: Bool

        private enum CodingKeys: String, CodingKey {
            case alg, kid, crit
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            alg = try container.decodeIfPresent(String.self, forKey: .alg)
            kid = try container.decodeIfPresent(String.self, forKey: .kid)
            hasCriticalParameters = container.contains(.crit)
        }
    }

    private struct Claims: Decodable {
        var iss: String?
        var iat: Number?

        /// A number, or a number in a string.
        struct Number: Decodable {
            var value: Int

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let string = try? container.decode(String.self) {
                    guard let number = Int(string) else {
                        throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a number")
                    }
                    value = number
                } else {
                    let number = try container.decode(Double.self)
                    // A value that is not a valid number of seconds is not a valid time.
                    guard let seconds = Int(exactly: number.rounded(.towardZero)) else {
                        throw DecodingError.dataCorruptedError(in: container, debugDescription: "out of range")
                    }
                    value = seconds
                }
            }
        }
    }

    /// Parses a token.
    ///
    /// - Throws: `ProviderRefusal` if `string` is not a token.
    init(_ string: Substring) throws(ProviderRefusal) {
        let parts = string.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw Self.invalid("a provider token has three parts, separated by periods") }
        let header: Header = try Self.decodeJSON(parts[0], "header")
        let claims: Claims = try Self.decodeJSON(parts[1], "claims")
        guard !header.hasCriticalParameters else {
            // The gateway understands none, so it must not accept the token (RFC 7515, section 4.1.11).
            throw Self.invalid("the token's header has 'crit'; a provider token needs only 'alg' and 'kid'")
        }
        guard let algorithm = Algorithm(rawValue: header.alg ?? Algorithm.es256.rawValue) else {
            throw Self.invalid("the token is signed with '\(header.alg ?? "")'; ES256 is accepted")
        }
        guard let keyID = header.kid, !keyID.isEmpty else { throw Self.invalid("the token's header has no 'kid'") }
        guard let team = claims.iss, !team.isEmpty else { throw Self.invalid("the token's claims have no 'iss'") }
        guard let issuedAt = claims.iat else { throw Self.invalid("the token's claims have no 'iat'") }
        self.algorithm = algorithm
        self.keyID = ProviderKeyID(rawValue: keyID)
        self.team = TeamID(rawValue: team)
        self.issuedAt = issuedAt.value
        signedBytes = Array("\(parts[0]).\(parts[1])".utf8)
        signature = try Self.decodeSignature(parts[2], algorithm)
    }

    /// Whether `key` has signed the token.
    func isSigned(by key: P256PublicKey) -> Bool {
        key.isValid(signature, of: signedBytes, algorithm == .es512 ? .sha512 : .sha256)
    }

    private static func decodeSignature(
        _ part: Substring,
        _ algorithm: Algorithm
    ) throws(ProviderRefusal) -> P256Signature {
        guard let bytes = decodeBase64(part).map(Array.init) else {
            throw invalid("the token's signature is not base64")
        }
        // Raw signatures have 64 bytes; those of this curve in DER almost always have more.
        guard
            let signature = P256Signature(raw: algorithm == .es512 ? shortened(bytes) : bytes)
                ?? P256Signature(der: bytes)
        else { throw invalid("the token's signature is not an \(algorithm.rawValue) signature with a key on P-256") }
        return signature
    }

    /// Returns two numbers of 32 bytes for two of 66 bytes, if they are that small, and otherwise the bytes.
    private static func shortened(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count == 132, (bytes[..<34] + bytes[66..<100]).allSatisfy({ $0 == 0 }) else { return bytes }
        return Array(bytes[34..<66] + bytes[100...])
    }

    private static func decodeJSON<Value: Decodable>(
        _ part: Substring,
        _ name: String
    ) throws(ProviderRefusal) -> Value {
        guard let bytes = decodeBase64(part) else { throw invalid("the token's \(name) is not base64") }
        guard let value = try? DocumentDecoder.decode(Value.self, from: bytes) else {
            throw invalid("the token's \(name) is not a JSON object with the expected members")
        }
        return value
    }

    /// Decodes base64 in either alphabet (RFC 4648, sections 4 and 5).
    private static func decodeBase64(_ part: Substring) -> Data? {
        var string = part.replacing("-", with: "+").replacing("_", with: "/")
        while string.last == "=" { string.removeLast() }
        string += String(repeating: "=", count: (4 - string.utf8.count % 4) % 4)
        return Data(base64Encoded: String(string))
    }

    private static func invalid(_ message: String) -> ProviderRefusal {
        ProviderRefusal(.invalidProviderToken, message)
    }
}

extension ProviderToken {
    /// The parts of a token that can be read, also if the token is not valid.
    struct UnverifiedParts {
        /// The `kid`.
        private(set) var keyID: String?

        /// The `iss`.
        private(set) var team: String?

        /// The `iat`, in seconds since 1970.
        private(set) var issuedAt: Int?

        /// Reads the parts of a token.
        init(_ string: Substring) {
            let parts = string.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count >= 2 else { return }
            keyID = Self.decode(Header.self, parts[0])?.kid
            let claims = Self.decode(Claims.self, parts[1])
            team = claims?.iss
            issuedAt = claims?.iat?.value
        }

        private static func decode<Value: Decodable>(_ type: Value.Type, _ part: Substring) -> Value? {
            guard let bytes = ProviderToken.decodeBase64(part) else { return nil }
            return try? DocumentDecoder.decode(type, from: bytes)
        }
    }
}

extension ProviderToken.Algorithm {
    /// The finding about a token with this algorithm, if it is unusual.
    var finding: NotificationFinding? {
        guard self == .es512 else { return nil }
        return NotificationFinding(
            code: .providerTokenAlgorithm,
            severity: .error,
            message: "the provider token is signed with ES512 and a key on P-256; Apple documents ES256 only"
        )
    }
}
