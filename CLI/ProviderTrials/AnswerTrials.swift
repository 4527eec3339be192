internal import WaypostSchema

extension ProviderTrial {
    /// The title of Apple's page about answers.
    static let answerPage = "Handling notification responses from APNs"

    /// The trials of answers.
    static let answerTrials = [
        gone410, goneButBack, wrongEnvironment, oneBadToken, notForTopic, device429, unavailable503, idle500,
        unknownReason,
    ]

    /// A reason that APNs does not have.
    static let unknownRejectionReason: RejectionReason = "TrialInvented"

    private static let gone410 = Self(
        name: "gone-410",
        rule: "After a 410, a provider sends nothing more to the device token.",
        source: answerPage,
        advice: "Delete the device token when a 410 arrives, unless it was registered after the time in the answer.",
        steps: [
            .load(TrialLoad(20)),
            .inject(SendFault(kind: .respond, reason: .unregistered), devices: 0..<5, since: 1),
            .load(TrialLoad(20)), .load(TrialLoad(20)), .load(TrialLoad(20)),
        ],
        judge: { TrialEvidence($0).judgeGone410() }
    )

    private static let goneButBack = Self(
        name: "gone-but-back",
        rule: "After a 410 with a time before the last registration of the device token, a provider keeps the token.",
        source: "\(answerPage); jazzband/django-push-notifications issue 650, jchambers/pushy issue 674",
        advice: "Compare the timestamp of the 410, in milliseconds, with the time of the registration of the token.",
        steps: [
            .load(TrialLoad(20)),
            .inject(SendFault(kind: .respond, reason: .unregistered), devices: 0..<5, since: -3_600),
            .load(TrialLoad(20)), .removeFaults, .load(TrialLoad(20)), .settle(seconds: 5),
        ],
        judge: { TrialEvidence($0).judgeKeptTokens(after: .unregistered) }
    )

    private static let wrongEnvironment = Self(
        name: "wrong-environment",
        rule: "If every device token of a load gets BadDeviceToken, a provider keeps its tokens.",
        source: "\(answerPage); STS-Rosario/carpoolear_backend issue 334, parse-community/parse-server issue 4220",
        advice: "Suspect the host (sandbox or production) if most tokens are refused; report it, and delete none.",
        steps: [
            .load(TrialLoad(20)),
            .inject(SendFault(kind: .respond, reason: .badDeviceToken), devices: nil, since: nil),
            .load(TrialLoad(20)), .removeFaults, .load(TrialLoad(20)), .settle(seconds: 5),
        ],
        judge: { TrialEvidence($0).judgeKeptTokens(after: .badDeviceToken) }
    )

    private static let oneBadToken = Self(
        name: "one-bad-token",
        rule: "If one device token gets BadDeviceToken, the message is not repeated, and the others arrive once.",
        source: "\(answerPage); rpush/rpush issue 331, excid3/noticed issue 536",
        advice: "Handle the answer of each message by itself; never repeat a message after BadDeviceToken.",
        steps: [
            .load(TrialLoad(20)),
            .inject(SendFault(kind: .respond, reason: .badDeviceToken), devices: 0..<1, since: nil),
            .load(TrialLoad(20)), .pause(3),
        ],
        judge: { TrialEvidence($0).judgeOneBadToken() }
    )

    private static let notForTopic = Self(
        name: "not-for-topic",
        rule: "After DeviceTokenNotForTopic, a provider neither repeats the message nor deletes the token.",
        source: "\(answerPage); rails/action_push_native issue 4",
        advice: "Treat DeviceTokenNotForTopic as an error of the topic, not of the device token.",
        steps: [
            .load(TrialLoad(20)),
            .inject(SendFault(kind: .respond, reason: .deviceTokenNotForTopic), devices: 0..<2, since: nil),
            .load(TrialLoad(20)), .pause(2), .removeFaults, .load(TrialLoad(20)), .settle(seconds: 5),
        ],
        judge: { TrialEvidence($0).judgeNotForTopic() }
    )

    private static let device429 = Self(
        name: "device-429",
        rule: "After a 429 TooManyRequests, a provider slows down for this device, and for no other.",
        source: answerPage,
        advice: "Wait longer after each 429 of a device token, and let no other token wait.",
        steps: [
            .load(TrialLoad(20)),
            .inject(SendFault(kind: .respond, reason: .tooManyRequests), devices: 0..<3, since: nil),
            .begin(TrialLoad(3, to: 0..<3)), .awaitRequests(3), .load(TrialLoad(60, to: 3..<20)), .pause(12),
        ],
        judge: { TrialEvidence($0).judgeDevice429() }
    )

    private static let unavailable503 = Self(
        name: "unavailable-503",
        rule: "While APNs answers 503, a provider waits longer after each try, and sends each message in the end.",
        source: "\(answerPage); matrix-org/sygnal issue 304",
        advice: "Double the delay after each 503, with jitter, starting with seconds or with Apple's 15 minutes.",
        isQuick: false,
        steps: [
            .load(TrialLoad(20)),
            .inject(SendFault(kind: .respond, reason: .serviceUnavailable), devices: nil, since: nil),
            .begin(TrialLoad(20)), .pause(120), .removeFaults, .settle(seconds: 1_200),
        ],
        judge: { TrialEvidence($0).judgeUnavailable503() }
    )

    private static let idle500 = Self(
        name: "idle-500",
        rule: "If a connection only answers 500, a provider opens another one after at most five answers.",
        source: "jchambers/pushy issue 458, node-apn/node-apn issue 463",
        advice: "Close a connection after a few 500 answers in a row, and send the next message on a new one.",
        steps: [
            .load(TrialLoad(20)), .pause(1),
            .affectConnections(ConnectionFault(.respond, reason: .internalServerError)),
        ] + (0..<4).map { _ in TrialStep.load(TrialLoad(5)) } + [.settle(seconds: 3)],
        judge: { TrialEvidence($0).judgeIdle500() }
    )

    private static let unknownReason = Self(
        name: "unknown-reason",
        rule: "A provider handles an answer with an unknown reason, or without a body, by its status, and goes on.",
        source: "\(answerPage); WalletConnect/a2",
        advice: """
            Decode the reason as text, accept an answer without a body, and decide by the status: delete the token \
            after a 410, and give up the message after another 4xx.
            """,
        steps: [
            .load(TrialLoad(20)),
            .inject(
                SendFault(kind: .respond, reason: unknownRejectionReason, status: 400),
                devices: 0..<1,
                since: nil
            ),
            .inject(SendFault(kind: .respond, reason: unknownRejectionReason, status: 410), devices: 1..<2, since: 1),
            .load(TrialLoad(20)), .removeFaults,
            .inject(SendFault(kind: .respond, status: 400), devices: 2..<3, since: nil),
            .load(TrialLoad(20)), .removeFaults, .load(TrialLoad(20)), .settle(seconds: 5),
        ],
        judge: { TrialEvidence($0).judgeUnknownReason() }
    )
}
