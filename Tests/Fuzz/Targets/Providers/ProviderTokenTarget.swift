import Cryptography
import Foundation
import WaypostSchema

@testable import Gateway

extension FuzzTarget {
    /// A provider token.
    static let providerTokens = FuzzTarget(
        name: "provider-tokens",
        summary: "provider tokens; the parts are the same before a token is verified, and none can be forged"
    ) { bytes in
        let text = Substring(String(decoding: bytes, as: UTF8.self))
        let claims = ProviderTokenClaims(of: text)
        promise((0...253_402_300_799_000).contains(claims.issuedAt?.rawValue ?? 0), "a time is before the year 10000")
        guard let token = try? ProviderToken(text) else { return }
        let parts = ProviderToken.UnverifiedParts(text)
        let isSame =
            parts.keyID == token.keyID.rawValue && parts.team == token.team.rawValue && parts.issuedAt == token.issuedAt
        promise(isSame, "the parts are those of the verified token", found: (parts, token))
        guard let key = signingKey else { endUnprepared("the key cannot be read") }
        guard token.isSigned(by: key) else { return }
        let signed = text.split(separator: ".").prefix(2).joined(separator: ".")
        promise(signedTexts.contains(signed), "only the key signs tokens", found: text)
    }

    /// The public key of the seeds' signatures; nobody has the private one.
    private static let signingKey = P256PublicKey(
        pem: """
            -----BEGIN PUBLIC KEY-----
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEI9wDB0dd3ZUeVr3LS07NYjEOI1qt
            p2bqd6o/MXJMUXhicmAHoalv+4V/7J4Q7+k+CExuRZFcu3rgJTZ5rk6cZA==
            -----END PUBLIC KEY-----
            """
    )

    /// The headers and claims that the key has signed.
    private static let signedTexts: Set<String> = {
        let header = #"{"alg":"ES256","kid":"AB12CD34EF"}"#
        let claims = #"{"iss":"TEAM123456","iat":1790000000}"#
        let pairs = [
            (header, claims), (header, #"{"iss":"TEAM123456","iat":"1790000000"}"#),
            (#"{"alg":"ES512","kid":"AB12CD34EF"}"#, claims), (#"{"kid":"AB12CD34EF"}"#, claims),
            ("{\n \"alg\":\"ES256\",\n \"kid\":\"AB12CD34EF\"}", #"{"iss":"TEAM123456","iat":1.79e9,"x":[{}]}"#),
        ]
        let texts = pairs.map { pair in
            [pair.0, pair.1].map { Data($0.utf8).base64EncodedString().replacing("=", with: "") }.joined(separator: ".")
        }
        let padded = [header, claims].map { Data($0.utf8).base64EncodedString() }.joined(separator: ".")
        return Set(texts + [padded])
    }()
}
