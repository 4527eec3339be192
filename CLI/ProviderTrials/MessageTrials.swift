internal import WaypostSchema

extension ProviderTrial {
    /// The trials of messages.
    static let messageTrials = [expirationThree, lateAnswer, typeTopicPayload]

    private static let expirationThree = Self(
        name: "expiration-three",
        rule: """
            The apns-expiration is 0 to deliver now or drop, a time in seconds since 1970 for an hour, and absent \
            without a wish.
            """,
        source: "\(requestPage); AndrewBarba/apns2 issue 88, rpush/rpush issue 206, node-apn/node-apn issue 660",
        advice: "Distinguish 0 from no value, and send whole seconds since 1970, neither a duration nor milliseconds.",
        steps: [.load(TrialLoad(30, kind: .expirations))],
        judge: { TrialEvidence($0).judgeExpirationThree() }
    )

    private static let lateAnswer = Self(
        name: "late-answer",
        rule: "If an answer is late, a provider repeats the message with the same apns-collapse-id, or not at all.",
        source: "\(requestPage); novuhq/novu issue 10636, jchambers/pushy issue 794",
        advice: "Give each message an apns-collapse-id of its own before you repeat it after a time-out.",
        isQuick: false,
        steps: [
            .load(TrialLoad(20)),
            .inject(SendFault(kind: .delay, times: 1, milliseconds: 120_000), devices: 0..<5, since: nil),
            .begin(TrialLoad(20)), .pause(100),
        ],
        judge: { TrialEvidence($0).judgeLateAnswer() }
    )

    private static let typeTopicPayload = Self(
        name: "type-topic-payload",
        rule: "The topic, the priority and the payload of a message fit its push type.",
        source: "\(requestPage); edamov/pushok issue 108, jchambers/pushy issue 701",
        advice: "Send apns-push-type, the topic with the suffix of the type, and priority 5 for background.",
        steps: [.load(TrialLoad(24, kind: .pushTypes))],
        judge: { TrialEvidence($0).judgeTypeTopicPayload() }
    )

    /// The trial of payloads of the maximum size.
    static let payloadSize = Self(
        name: "payload-size",
        rule: "A payload may have 4,096 bytes of UTF-8, or 5,120 for voip; one more is an error that is not repeated.",
        source: "Generating a remote notification",
        advice: "Count bytes and not characters, and write JSON without spaces and without escapes for letters.",
        steps: [.load(TrialLoad(18, kind: .sizes)), .pause(2)],
        judge: { TrialEvidence($0).judgePayloadSize() }
    )

    /// The trial of the updates of Live Activities.
    static let liveActivityLife = Self(
        name: "live-activity-life",
        rule: "A provider sends the updates of a Live Activity in order, and none after a 410.",
        source: "Starting and updating Live Activities with ActivityKit push notifications",
        advice: "Send the updates of an activity one after another, drop older ones, and forget its token after a 410.",
        steps: [
            .load(TrialLoad(12, to: 0..<4, kind: .liveActivity)),
            .inject(SendFault(kind: .respond, reason: .unregistered), devices: 0..<1, since: 1),
            .load(TrialLoad(4, to: 0..<4, kind: .liveActivity)), .load(TrialLoad(12, to: 0..<4, kind: .liveActivity)),
        ],
        judge: { TrialEvidence($0).judgeLiveActivityLife() }
    )
}
