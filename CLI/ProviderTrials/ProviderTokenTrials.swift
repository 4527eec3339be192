internal import WaypostSchema

extension ProviderTrial {
    /// The title of Apple's page about provider tokens.
    static let tokenPage = "Establishing a token-based connection to APNs"

    /// The trials of provider tokens.
    static let tokenTrials = [
        tokenReuse, tokenRefresh, firstUseLate, tokenFleet, expiredOnce, updateThrottle, keyRevoked, twoTeams,
        clockSkew,
    ]

    private static let tokenReuse = Self(
        name: "token-reuse",
        rule: "A provider signs one provider token in 20 minutes, and uses it for all requests.",
        source: tokenPage,
        advice: "Keep the signed token with the time of its signature, and share it among all connections.",
        steps: [.load(TrialLoad())],
        judge: { TrialEvidence($0).judgeTokenReuse() }
    )

    private static let tokenRefresh = Self(
        name: "token-refresh",
        rule: "A provider token is replaced when it is 20 to 60 minutes old.",
        source: tokenPage,
        advice: "Sign a new token before a request if the last one is older than, for example, 50 minutes.",
        movesClock: true,
        steps: [.load(TrialLoad(20))] + (0..<7).flatMap { _ in [TrialStep.advance(600), .load(TrialLoad(20))] },
        judge: { TrialEvidence($0).judgeTokenRefresh() }
    )

    private static let firstUseLate = Self(
        name: "first-use-late",
        rule: "The first uses of two provider tokens are at least 20 minutes apart, even if the first use is late.",
        source: "\(tokenPage); AndrewBarba/apns2 issue 44",
        advice: "Sign a token when a request needs one, and not at the start, and keep it for 40 minutes or more.",
        movesClock: true,
        steps: [.advance(2_700), .load(TrialLoad(20)), .advance(600), .load(TrialLoad(20))],
        judge: { TrialEvidence($0).judgeFirstUseLate() }
    )

    private static let tokenFleet = Self(
        name: "token-fleet",
        rule: "The processes of a provider share one provider token.",
        source: "\(tokenPage); appleboy/gorush issue 512, codedge-llc/pigeon issue 226",
        advice: "Let one process sign the token, and share it, for example in a file or a cache.",
        processes: 3,
        steps: [.load(TrialLoad(60))],
        judge: { TrialEvidence($0).judgeTokenFleet() }
    )

    private static let expiredOnce = Self(
        name: "expired-once",
        rule: "After a 403 ExpiredProviderToken, a provider signs a new token at once, and repeats the message.",
        source: tokenPage,
        advice: "Discard the token that was refused, sign another one, and send the message again, once.",
        steps: [
            .load(TrialLoad(20)),
            .inject(SendFault(kind: .respond, times: 1, reason: .expiredProviderToken), devices: nil, since: nil),
            .load(TrialLoad(40)), .settle(seconds: 10),
        ],
        judge: { TrialEvidence($0).judgeExpiredOnce() }
    )

    private static let updateThrottle = Self(
        name: "update-throttle",
        rule: "After a 429 TooManyProviderTokenUpdates, a provider goes on with the old token, or waits 20 minutes.",
        source: "\(tokenPage); developer.apple.com/forums/thread/675879",
        advice: "Do not sign a new token because of an error, except after ExpiredProviderToken.",
        steps: [
            .load(TrialLoad(20)),
            .inject(
                SendFault(kind: .respond, times: 5, reason: .tooManyProviderTokenUpdates),
                devices: nil,
                since: nil
            ),
            .load(TrialLoad(40)), .pause(4),
        ],
        judge: { TrialEvidence($0).judgeUpdateThrottle() }
    )

    private static let keyRevoked = Self(
        name: "key-revoked",
        rule: "After a 403 InvalidProviderToken, a provider stops and reports; it does not repeat.",
        source: "Handling notification responses from APNs",
        advice: "Treat InvalidProviderToken as an error of the configuration: report it, and repeat nothing by itself.",
        steps: [
            .load(TrialLoad(20)),
            .inject(SendFault(kind: .respond, reason: .invalidProviderToken), devices: nil, since: nil),
            .begin(TrialLoad(20)), .pause(6),
        ],
        judge: { TrialEvidence($0).judgeKeyRevoked() }
    )

    private static let twoTeams = Self(
        name: "two-teams",
        rule: "A provider for apps of two teams has a connection for each team.",
        source: "\(tokenPage); developer.apple.com/forums/thread/687789",
        advice: "Choose the connection by the team and the key of the app, not by the host alone.",
        steps: [.load(TrialLoad(80, kind: .twoTeams)), .settle(seconds: 5)],
        judge: { TrialEvidence($0).judgeTwoTeams() }
    )

    private static let clockSkew = Self(
        name: "clock-skew",
        rule: "A provider with a wrong clock reports the refusals; it does not sign and send again and again.",
        source: "\(tokenPage); node-apn/node-apn issue 590",
        advice: "Limit the new tokens to two in five minutes, and repeat a message once after ExpiredProviderToken.",
        movesClock: true,
        steps: [
            .skew(7_200), .begin(TrialLoad(20)), .pause(4), .skew(-14_400), .begin(TrialLoad(20)), .pause(4),
        ],
        judge: { TrialEvidence($0).judgeClockSkew() }
    )
}
