internal import WaypostSchema

extension ProviderTrial {
    /// The title of Apple's page about requests and connections.
    static let requestPage = "Sending notification requests to APNs"

    /// The trials of connections.
    static let connectionTrials = [
        firstStreamAlone, streamLimit, shrinkToOne, goAwayIdle, goAwayBusy, goAwayTwice, blackhole, silentStream,
        noChurn,
    ]

    private static let firstStreamAlone = Self(
        name: "first-stream-alone",
        rule: "A provider opens one stream until its provider token is accepted, and many after that.",
        source: "\(tokenPage); RFC 9113, section 5.1.2",
        advice: "Obey SETTINGS_MAX_CONCURRENT_STREAMS: queue further requests until the first one is answered.",
        steps: [.load(TrialLoad()), .settle(seconds: 10)],
        judge: { TrialEvidence($0).judgeFirstStreamAlone() }
    )

    private static let streamLimit = Self(
        name: "stream-limit",
        rule: "A provider obeys the limit of streams, also if it changes.",
        source: "RFC 9113, section 5.1.2; jchambers/pushy issue 356",
        advice: "Read every SETTINGS frame, and queue the requests that exceed its SETTINGS_MAX_CONCURRENT_STREAMS.",
        steps: [
            .load(TrialLoad(20)), .affectConnections(ConnectionFault(.limitStreams, streams: 5)),
            .inject(SendFault(kind: .delay, milliseconds: 200), devices: nil, since: nil), .load(TrialLoad(30)),
            .affectConnections(ConnectionFault(.limitStreams, streams: 50)), .load(TrialLoad(100)), .removeFaults,
            .settle(seconds: 10),
        ],
        judge: { TrialEvidence($0).judgeStreamLimit() }
    )

    private static let shrinkToOne = Self(
        name: "shrink-to-one",
        rule: "A provider queues its requests while the limit of streams is one, and goes on when it grows.",
        source: "RFC 9113, section 5.1.2; jchambers/pushy issues 476 and 732",
        advice: "Queue requests while the limit is reached, and open no connections because of it.",
        steps: [
            .load(TrialLoad(20)), .inject(SendFault(kind: .delay, milliseconds: 200), devices: nil, since: nil),
            .begin(TrialLoad(40)), .awaitRequests(10), .affectConnections(ConnectionFault(.limitStreams, streams: 1)),
            .begin(TrialLoad(40)), .pause(2), .affectConnections(ConnectionFault(.limitStreams)), .removeFaults,
            .settle(seconds: 20),
        ],
        judge: { TrialEvidence($0).judgeShrinkToOne() }
    )

    private static let goAwayIdle = Self(
        name: "goaway-idle",
        rule: "After a GOAWAY on an idle connection, a provider sends on a new one, even if the socket stays open.",
        source: "RFC 9113, section 6.8; node-apn/node-apn issue 140, jchambers/pushy issue 865",
        advice: "Mark a session as closed when its GOAWAY arrives, and open another one for the next request.",
        steps: [
            .load(TrialLoad(20)), .pause(1), .affectConnections(ConnectionFault(.goAway, keepsOpen: true)), .pause(1),
            .load(TrialLoad(20)), .settle(seconds: 10),
        ],
        judge: { TrialEvidence($0).judgeGoAwayIdle() }
    )

    private static let goAwayBusy = Self(
        name: "goaway-busy",
        rule: "After a GOAWAY, a provider awaits the answers up to the last stream, and repeats only later requests.",
        source: "RFC 9113, section 6.8; jchambers/pushy issues 807 and 1017",
        advice: "Repeat a request only if its stream has a higher identifier than the last one of the GOAWAY.",
        steps: [
            .load(TrialLoad(20)), .inject(SendFault(kind: .delay, milliseconds: 500), devices: nil, since: nil),
            .begin(TrialLoad(100)), .awaitRequests(10), .affectConnections(ConnectionFault(.goAway)),
            .begin(TrialLoad(50)), .removeFaults, .settle(seconds: 20),
        ],
        judge: { TrialEvidence($0).judgeGoAwayBusy() }
    )

    private static let goAwayTwice = Self(
        name: "goaway-twice",
        rule: "After two GOAWAY frames on a connection, a provider reconnects once.",
        source: "RFC 9113, section 6.8; jchambers/pushy issue 312",
        advice: "Let a second GOAWAY only lower the last stream; do not open another connection because of it.",
        steps: [
            .load(TrialLoad(20)), .pause(1),
            .affectConnections(ConnectionFault(.goAway, reason: .shutdown, frames: 2)), .pause(1),
            .load(TrialLoad(20)), .settle(seconds: 10),
        ],
        judge: { TrialEvidence($0).judgeGoAwayTwice() }
    )

    private static let blackhole = Self(
        name: "blackhole",
        rule: "If a connection hangs without being closed, a provider sends on another one within a minute.",
        source: "\(requestPage); sideshow/apns2 issue 209, codedge-llc/pigeon issue 12",
        advice: "Send a PING on idle connections or limit the time of a request, and then reconnect and repeat.",
        isQuick: false,
        steps: [
            .load(TrialLoad(20)), .pause(2), .affectConnections(ConnectionFault(.silence)), .begin(TrialLoad(20)),
            .settle(seconds: 60),
        ],
        judge: { TrialEvidence($0).judgeBlackhole() }
    )

    private static let silentStream = Self(
        name: "silent-stream",
        rule: "A stream without an answer delays no other message, and its message is sent at most three times.",
        source: "jchambers/pushy issue 816, node-apn/node-apn issue 492",
        advice: "Give each request a time-out of its own, send others meanwhile, and limit the repetitions.",
        steps: [
            .load(TrialLoad(20)), .inject(SendFault(kind: .hang), devices: 0..<1, since: nil),
            .begin(TrialLoad(1, to: 0..<1)), .awaitRequests(1), .load(TrialLoad(60, to: 1..<20)), .pause(5),
        ],
        judge: { TrialEvidence($0).judgeSilentStream() }
    )

    private static let noChurn = Self(
        name: "no-churn",
        rule: "A provider keeps its connections open, and opens no new one for a message or a batch.",
        source: requestPage,
        advice: "Create one client for the life of the program; APNs may treat many short connections as an attack.",
        steps: Array((0..<8).flatMap { _ in [TrialStep.load(TrialLoad(10)), .pause(2)] }.dropLast()),
        judge: { TrialEvidence($0).judgeNoChurn() }
    )

    /// The trial of another certificate authority of the gateway.
    static let trustChange = Self(
        name: "trust-change",
        rule: "A provider accepts a certificate of every authority in its list, not only of the one that it saw first.",
        source: "Apple's news of 2025 about the certificate of APNs; jchambers/pushy issue 1093",
        advice: "Verify the server with the whole list of authorities of the system, and pin no certificate.",
        // The restart with the same authority tells a provider that trusts too little from one that never connects again.
        steps: [
            .load(TrialLoad(20)), .restart(.first), .begin(TrialLoad(20)), .settle(seconds: 15),
            .restart(.second), .begin(TrialLoad(20)), .settle(seconds: 15),
        ],
        judge: { TrialEvidence($0).judgeTrustChange() }
    )
}
