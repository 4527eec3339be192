import Cryptography
import PushRules
import Testing
import WaypostSchema

@testable import Gateway

/// Tests of the rules of provider tokens, at times that the tests choose.
@Suite struct ProviderTokenTests {
    private let keys = ProviderKeys()
    private let signer = ProviderSigner()

    init() throws {
        try add(signer)
    }

    private func add(_ signer: ProviderSigner) throws {
        keys.add(signer.key, try #require(P256PublicKey(pem: signer.key.publicKey)), in: .standard)
    }

    /// The codes of the findings about the last token that was accepted.
    private let lastFindings = FindingsBox()

    /// Returns the reason for refusing a token `seconds` after its usual issue time, or `nil` if the token is accepted.
    private func refusal(
        of token: String?,
        by sender: inout ProviderAuthentication,
        scheme: String = "bearer ",
        topic: String? = "com.example.clowntown",
        host: String? = nil,
        after seconds: Int = 0
    ) -> RejectionReason? {
        do throws(ProviderRefusal) {
            let now = Timestamp(milliseconds: (1_790_000_000 + seconds) * 1_000)
            var claim = ProviderClaim(authorization: token.map { scheme + $0 }, topic: topic)
            claim.environment = PushEnvironment(host: host)
            lastFindings.codes = try sender.admit(claim, keys, at: now).map(\.code)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(arguments: ProviderSigner.Dialect.allCases) func everyDialectIsAccepted(
        _ dialect: ProviderSigner.Dialect
    ) throws {
        var sender = ProviderAuthentication(.apns)
        let token = try signer.token(in: dialect)
        #expect(refusal(of: token, by: &sender) == nil)
        #expect(lastFindings.codes == (dialect == .es512 ? [.providerTokenAlgorithm] : []))
    }

    @Test func es512NeedsItsDigestAndItsPadding() throws {
        let parts = try signer.token(in: .es512).split(separator: ".")
        let plain = try signer.token().split(separator: ".")
        for token in [
            // The signature of the other algorithm.
            "\(parts[0]).\(parts[1]).\(plain[2])", "\(plain[0]).\(plain[1]).\(parts[2])",
            // A number that is too large for P-256.
            "\(parts[0]).\(parts[1]).B\(parts[2].dropFirst())", try signer.token(algorithm: "ES384"),
        ] {
            var sender = ProviderAuthentication(.token)
            #expect(refusal(of: token, by: &sender) == .invalidProviderToken, "\(token)")
        }
    }

    @Test(arguments: [#","crit":["b64"],"b64":false"#, #","crit":["exp"]"#, #","crit":[]"#, #","crit":null"#])
    func tokenWithCriticalParametersIsRefused(_ members: String) throws {
        var sender = ProviderAuthentication(.token)
        #expect(refusal(of: try signer.token(headerMembers: members), by: &sender) == .invalidProviderToken)
        #expect(refusal(of: try signer.token(headerMembers: #","b64":false"#), by: &sender) == nil)
    }

    @Test(arguments: [Authentication.token, .apns]) func lastUseOfAKeyIsKnown(
        _ mode: Authentication
    ) throws {
        #expect(keys.uses(in: .standard).isEmpty)
        var sender = ProviderAuthentication(mode)
        let token = try signer.token()
        for seconds in [0, 9] { _ = refusal(of: token, by: &sender, after: seconds) }
        let (first, last) = (1_790_000_000_000, 1_790_000_009_000)
        let use = ProviderKeyUse(
            id: signer.key.id,
            tokenSince: Timestamp(milliseconds: first),
            lastUse: Timestamp(milliseconds: last)
        )
        #expect(keys.uses(in: .standard) == [use])
        #expect(keys.uses(in: "other").isEmpty)
    }

    @Test(arguments: ["bearer ", "Bearer ", "BEARER \t", "bearer  "])
    func schemeIgnoresCaseAndWhitespace(_ scheme: String) throws {
        var sender = ProviderAuthentication(.token)
        let token = try signer.token()
        #expect(refusal(of: token, by: &sender, scheme: scheme) == nil)
    }

    @Test func missingTokenIsReported() {
        var sender = ProviderAuthentication(.token)
        #expect(refusal(of: nil, by: &sender) == .missingProviderToken)
        for header in ["", "bearer", "bearer ", "Basic eyJ"] {
            #expect(refusal(of: header, by: &sender, scheme: "") == .missingProviderToken)
        }
    }

    @Test func malformedOrForgedTokenIsInvalid() throws {
        let other = ProviderSigner()
        let good = try signer.token()
        let parts = good.split(separator: ".")
        let forged = "\(parts[0]).\(try signer.token(at: 1_790_000_001).split(separator: ".")[1]).\(parts[2])"
        for token in [
            "x", "a.b.c", "..", forged, try other.token(), try signer.token(algorithm: "none"),
            try signer.token(algorithm: "RS256"), try signer.token(team: "TEAM654321"),
            try signer.token(keyID: "NOBODYSKEY"),
            String(good.dropLast(8)), good + ".more", try signer.token(at: 1_790_000_000 + 3_601),
            // A time in milliseconds is far in the future.
            try signer.token(at: 1_790_000_000_000), try signer.token(issuedAt: "1e19"),
            try signer.token(issuedAt: "-1e300"), try signer.token(issuedAt: "99999999999999999999"),
            try signer.token(issuedAt: "true"), try signer.token(issuedAt: "\"soon\""),
        ] {
            var sender = ProviderAuthentication(.token)
            #expect(refusal(of: token, by: &sender) == .invalidProviderToken, "\(token)")
        }
    }

    @Test func tokenIsValidForAnHour() throws {
        var sender = ProviderAuthentication(.token)
        let token = try signer.token()
        #expect(refusal(of: token, by: &sender, after: 3_600) == nil)
        #expect(refusal(of: token, by: &sender, after: 3_601) == .expiredProviderToken)
    }

    @Test func revokedKeyIsInvalidOnOpenConnectionsToo() throws {
        var sender = ProviderAuthentication(.token)
        let token = try signer.token()
        #expect(refusal(of: token, by: &sender) == nil)
        keys.remove(signer.key.id, in: .standard)
        #expect(refusal(of: token, by: &sender) == .invalidProviderToken)
    }

    @Test func keyWithTopicsIsValidForThemAndTheirSuffixes() throws {
        let narrow = ProviderSigner("TOPICKEY01", topics: ["com.example.clowntown"])
        try add(narrow)
        var sender = ProviderAuthentication(.token)
        let token = try narrow.token()
        #expect(refusal(of: token, by: &sender) == nil)
        #expect(refusal(of: token, by: &sender, topic: "com.example.clowntown.voip") == nil)
        #expect(refusal(of: token, by: &sender, topic: "com.example.clowntowns") == .topicDisallowed)
    }

    @Test func keyOfOneEnvironmentIsInvalidInTheOther() throws {
        let sandbox = ProviderSigner("SANDBOXKEY", environment: .sandbox)
        try add(sandbox)
        var sender = ProviderAuthentication(.apns)
        let token = try sandbox.token()
        #expect(refusal(of: token, by: &sender, host: "api.push.apple.com") == .badEnvironmentKeyInToken)
        #expect(refusal(of: token, by: &sender, host: "api.sandbox.push.apple.com:443") == nil)
        #expect(refusal(of: token, by: &sender) == nil)
    }

    @Test func connectionIsForOneTeamAndKeysOfOneKind() throws {
        let (second, narrow) = (
            ProviderSigner("SECONDKEY1"), ProviderSigner("TOPICKEY01", topics: ["com.example.clowntown"])
        )
        let foreign = ProviderSigner("FOREIGNKEY", team: "TEAM654321")
        for signer in [second, narrow, foreign] { try add(signer) }
        var sender = ProviderAuthentication(.apns)
        let tokens = try [signer, second, narrow, foreign].map { try $0.token() }
        #expect(refusal(of: tokens[0], by: &sender) == nil)
        #expect(refusal(of: tokens[1], by: &sender) == nil)
        #expect(refusal(of: tokens[2], by: &sender) == .unrelatedKeyIdInToken)
        #expect(refusal(of: tokens[3], by: &sender) == .unrelatedKeyIdInToken)
        var another = ProviderAuthentication(.apns)
        #expect(refusal(of: tokens[3], by: &another) == nil)
        // Another team's key may have the same identifier.
        let twin = ProviderSigner(signer.key.id, team: "TEAM654321")
        keys.add(twin.key, try #require(P256PublicKey(pem: twin.key.publicKey)), in: "elsewhere")
        let twins = try twin.token()
        #expect(refusal(of: twins, by: &sender) == .unrelatedKeyIdInToken)
        #expect(refusal(of: twins, by: &another) == nil)
        // Only the mode `apns` requires that.
        var lenient = ProviderAuthentication(.token)
        for token in tokens { #expect(refusal(of: token, by: &lenient) == nil) }
    }

    @Test func connectionCanHaveANewTokenAfterTwentyMinutes() throws {
        var sender = ProviderAuthentication(.apns)
        let (old, new) = (try signer.token(), try signer.token(at: 1_790_000_600))
        #expect(refusal(of: old, by: &sender) == nil)
        #expect(refusal(of: new, by: &sender, after: 1_199) == .tooManyProviderTokenUpdates)
        #expect(refusal(of: old, by: &sender, after: 1_199) == nil)
        #expect(refusal(of: new, by: &sender, after: 1_200) == nil)
        #expect(lastFindings.codes.isEmpty)
        // The old token is not an update.
        #expect(refusal(of: old, by: &sender, after: 1_201) == nil)
    }

    @Test func eachConnectionMayHaveATokenOfItsOwn() throws {
        // A back end that restarts has a new connection and a new token.
        for second in 0..<20 {
            var sender = ProviderAuthentication(.apns)
            let (first, next) = (
                try signer.token(at: 1_790_000_000 + second), try signer.token(at: 1_790_003_000 + second)
            )
            #expect(refusal(of: first, by: &sender, after: second) == nil)
            #expect(lastFindings.codes == (second == 0 ? [] : [.providerTokenChurn]))
            // The finding is about the token's first use.
            #expect(refusal(of: first, by: &sender, after: second) == nil)
            #expect(lastFindings.codes.isEmpty)
            #expect(refusal(of: next, by: &sender, after: second) == .tooManyProviderTokenUpdates)
        }
    }

    @Test func relatedKeysMayAlternateOnAConnection() throws {
        let second = ProviderSigner("SECONDKEY1")
        try add(second)
        var sender = ProviderAuthentication(.apns)
        let tokens = [try signer.token(), try second.token()]
        for token in tokens + tokens { #expect(refusal(of: token, by: &sender) == nil) }
        #expect(lastFindings.codes.isEmpty)
        let newToken = try second.token(at: 1_790_000_001)
        #expect(refusal(of: newToken, by: &sender, after: 1) == .tooManyProviderTokenUpdates)
    }

    @Test func expiredTokenMayBeReplacedAtOnce() throws {
        var (sender, other) = (ProviderAuthentication(.apns), ProviderAuthentication(.apns))
        let old = try signer.token(at: 1_789_996_410)
        #expect(refusal(of: old, by: &sender) == nil)
        #expect(refusal(of: old, by: &other) == nil)
        #expect(refusal(of: old, by: &sender, after: 11) == .expiredProviderToken)
        let new = try signer.token(at: 1_790_000_011)
        #expect(refusal(of: new, by: &sender, after: 11) == nil)
        #expect(lastFindings.codes.isEmpty)
        // Another connection was not told that its token has expired.
        #expect(refusal(of: new, by: &other, after: 11) == .tooManyProviderTokenUpdates)
        // The twenty minutes begin again.
        let newest = try signer.token(at: 1_790_000_012)
        #expect(refusal(of: newest, by: &sender, after: 12) == .tooManyProviderTokenUpdates)
    }

    /// A client has several requests open when it learns that its token has expired.
    @Test(arguments: [[0, 1, 0], [1, 0, 1]]) func lateRequestsWithTheOldTokenDoNotEndTheRecovery(
        _ order: [Int]
    ) throws {
        var sender = ProviderAuthentication(.apns)
        let tokens = try (0..<3).map { try signer.token(at: 1_790_000_000 + $0) }
        #expect(refusal(of: tokens[0], by: &sender) == nil)
        sender.allowRenewal()
        for number in order {
            #expect(refusal(of: tokens[number], by: &sender, after: 5) == nil)
            #expect(lastFindings.codes.isEmpty)
        }
        #expect(refusal(of: tokens[2], by: &sender, after: 6) == .tooManyProviderTokenUpdates)
    }

    @Test func manyConnectionsWithTokensOfTheirOwnChangeTheKeyOnlyOnce() throws {
        var senders = (0..<12).map { _ in ProviderAuthentication(.apns) }
        let tokens = try (0..<12).map { try signer.token(at: 1_790_000_000 + $0) }
        for second in 0..<3 {
            for number in senders.indices {
                #expect(refusal(of: tokens[number], by: &senders[number], after: 100 * second) == nil)
                #expect(lastFindings.codes.isEmpty == (second > 0 || number == 0))
            }
        }
        let use = try #require(keys.uses(in: .standard).first)
        #expect((use.tokenSince.rawValue, use.lastUse.rawValue) == (1_790_000_000_000, 1_790_000_200_000))
    }

    @Test func strictGatewayRefusesES512BeforeItCounts() throws {
        var sender = ProviderAuthentication(.apns, isStrict: true)
        #expect(refusal(of: try signer.token(in: .es512), by: &sender) == .invalidProviderToken)
        #expect(!sender.isTrusted)
        #expect(refusal(of: try signer.token(at: 1_790_000_001), by: &sender) == nil)
    }

    @Test func keyCanHaveANewTokenAfterTwentyMinutes() throws {
        var (first, second) = (
            ProviderAuthentication(.apns, tokenChurn: .key), ProviderAuthentication(.apns, tokenChurn: .key)
        )
        let (old, new) = (try signer.token(), try signer.token(at: 1_790_000_600))
        let newest = try signer.token(at: 1_790_001_300)
        #expect(refusal(of: old, by: &first) == nil)
        // The limit applies to all connections together.
        #expect(refusal(of: new, by: &first, after: 1_199) == .tooManyProviderTokenUpdates)
        #expect(refusal(of: new, by: &second, after: 1_199) == .tooManyProviderTokenUpdates)
        #expect(refusal(of: old, by: &second, after: 1_199) == nil)
        #expect(refusal(of: new, by: &second, after: 1_200) == nil)
        // The old token is not an update.
        #expect(refusal(of: old, by: &first, after: 1_201) == nil)
        #expect(
            refusal(of: newest, by: &first, after: 1_300) == .tooManyProviderTokenUpdates
        )
    }

    @Test func requestsOfTwoConnectionsMayBeRecordedInAnotherOrder() throws {
        var (first, second) = (
            ProviderAuthentication(.apns, tokenChurn: .key), ProviderAuthentication(.apns, tokenChurn: .key)
        )
        #expect(refusal(of: try signer.token(), by: &first, after: 1) == nil)
        let refusal = refusal(of: try signer.token(at: 1_790_000_001), by: &second)
        #expect(refusal == .tooManyProviderTokenUpdates)
    }

    @Test func clockThatWasSetBackDoesNotLockAKeyOut() throws {
        var sender = ProviderAuthentication(.apns)
        #expect(refusal(of: try signer.token(at: 1_790_003_600), by: &sender, after: 3_600) == nil)
        #expect(refusal(of: try signer.token(), by: &sender) == nil)
        #expect(refusal(of: try signer.token(at: 1_790_000_001), by: &sender, after: 1) == .tooManyProviderTokenUpdates)
    }

    @Test func onlyAClientWithAValidTokenIsTrusted() throws {
        var sender = ProviderAuthentication(.apns)
        #expect(!sender.isTrusted)
        #expect(refusal(of: "x", by: &sender) == .invalidProviderToken)
        #expect(!sender.isTrusted)
        let token = try signer.token()
        #expect(refusal(of: token, by: &sender) == nil)
        #expect(sender.isTrusted)
        #expect(ProviderAuthentication(.none).isTrusted)
        #expect(ProviderAuthentication(.token).isTrusted)
    }
}

/// The findings of an `admit`, which a test reads after it.
private final class FindingsBox {
    var codes: [NotificationFinding.Code] = []
}
