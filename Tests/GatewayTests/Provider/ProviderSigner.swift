import Cryptography
import Foundation
import GatewayTestSupport
import WaypostSchema

@testable import Gateway

/// A team's key, which creates provider tokens in all the formats that clients use.
struct ProviderSigner: Sendable {
    /// The format of a token.
    enum Dialect: String, CaseIterable, Sendable {
        case standard
        case signatureInDER
        case paddedBase64
        case timeAsString
        case withoutAlgorithm
        case spacedJSON
        case es512
    }

    let key: ProviderKey
    private let secret: P256PrivateKey

    init(
        _ id: ProviderKeyID = "AB12CD34EF",
        team: TeamID = "TEAM123456",
        topics: [Topic]? = nil,
        environment: PushEnvironment? = nil
    ) {
        secret = P256PrivateKey()
        key = ProviderKey(
            id: id,
            team: team,
            publicKey: secret.publicKey.pem,
            topics: topics,
            environment: environment
        )
    }

    /// The private key in the format of Apple's key files.
    var pem: String {
        secret.pem
    }

    /// Returns a token that was issued at `now`, in seconds since 1970; `headerMembers` follow those of its header.
    func token(
        at now: Int = 1_790_000_000,
        in dialect: Dialect = .standard,
        algorithm: String = "ES256",
        team: TeamID? = nil,
        keyID: ProviderKeyID? = nil,
        issuedAt: String? = nil,
        headerMembers: String = ""
    ) throws -> String {
        let gap = dialect == .spacedJSON ? "\n  " : ""
        let name = dialect == .es512 ? "ES512" : algorithm
        let alg = dialect == .withoutAlgorithm ? "" : #""alg":"\#(name)",\#(gap)"#
        let header = #"{\#(gap)\#(alg)"kid":"\#(keyID ?? key.id)"\#(headerMembers)}"#
        let iat = issuedAt ?? (dialect == .timeAsString ? #""\#(now)""# : "\(now)")
        let claims = #"{\#(gap)"iss":"\#(team ?? key.team)",\#(gap)"iat":\#(iat),"kid":"extra"}"#
        let encode = { (bytes: Data) in
            let text = bytes.base64EncodedString()
            if dialect == .paddedBase64 { return text }
            return text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        let signed = encode(Data(header.utf8)) + "." + encode(Data(claims.utf8))
        let signature = try secret.signature(of: Array(signed.utf8), dialect == .es512 ? .sha512 : .sha256)
        var bytes = dialect == .signatureInDER ? signature.der : signature.raw
        if dialect == .es512 {
            // Each number is as long as one of P-521, for which ES512 is meant.
            let padding = [UInt8](repeating: 0, count: 34)
            bytes = padding + bytes[..<32] + padding + bytes[32...]
        }
        return signed + "." + encode(Data(bytes))
    }
}
