import GatewayStore
import PushRules
import Testing
import WaypostSchema

/// Tests of the decisions about a batch, as a table.
@Suite struct BatchPlanTests {
    typealias Fate = BatchPlan.Fate

    /// A notification, its recipient, the storage mode of its app, and what becomes of it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let notification: NewNotification
        let recipient: Recipient?
        let mode: StorageMode
        let fate: Fate

        init(
            _ name: String,
            _ notification: NewNotification = .example("n1"),
            to recipient: Recipient?,
            _ mode: StorageMode = .lossless,
            becomes fate: Fate
        ) {
            testDescription = name
            self.notification = notification
            self.recipient = recipient
            self.mode = mode
            self.fate = fate
        }
    }

    private static let away = Recipient(device: 1, agent: 7, topics: ["clowns"])
    private static let here = Recipient(device: 1, agent: 7, topics: ["clowns"], isConnected: true)
    private static let saving = Recipient(
        device: 1,
        agent: 7,
        topics: ["clowns"],
        isLowPowerModeEnabled: true,
        isConnected: true
    )

    private static let calls = Recipient(
        device: 1,
        agent: 7,
        topics: ["clowns.voip"],
        purpose: TokenPurpose(.voip, of: "clowns")
    )

    private static func inactiveRecipient(_ standing: TokenStanding, since time: Timestamp = .dawn) -> Recipient {
        Recipient(
            device: 1,
            agent: 7,
            topics: ["clowns"],
            standing: standing,
            standingChangedAt: time,
            isConnected: true
        )
    }

    /// A time after the noon of the tests.
    private static let later = Timestamp(milliseconds: 100_001)

    private static func stored(
        _ slot: CollapseSlot? = nil,
        isSlotDeferred: Bool = false,
        until deadline: Int? = nil,
        isDelivered: Bool = false
    ) -> Fate {
        let placement = BatchPlan.InboxPlacement(
            device: 1,
            agent: 7,
            slot: slot,
            isSlotDeferred: isSlotDeferred,
            deadline: deadline
        )
        return .stored(placement, isDelivered: isDelivered)
    }

    /// The noon of the tests in seconds, plus 30 days.
    private static let month = 100 + 2_592_000

    static let cases = [
        Case("no device has the token", to: nil, becomes: .refused(.unknownToken)),
        Case("unregistered", to: inactiveRecipient(.unregistered), becomes: .refused(.unregistered(since: .dawn))),
        Case(
            "unregistered from now on",
            to: inactiveRecipient(.unregistered, since: .noon),
            becomes: .refused(.unregistered(since: .noon))
        ),
        Case("unregistered later", to: inactiveRecipient(.unregistered, since: later), becomes: .ended(.dropped)),
        Case(
            "unregistered later, other topic",
            .example("n1", for: "notes"),
            to: inactiveRecipient(.unregistered, since: later),
            becomes: .refused(.wrongTopic(registered: ["clowns"]))
        ),
        Case("expired later", to: inactiveRecipient(.expired, since: later), becomes: .refused(.expired(since: later))),
        Case("expired token", to: inactiveRecipient(.expired), becomes: .refused(.expired(since: .dawn))),
        Case(
            "other environment",
            to: inactiveRecipient(.wrongEnvironment),
            becomes: .refused(.wrongEnvironment(of: nil))
        ),
        Case(
            "other topic",
            .example("n1", for: "notes"),
            to: away,
            becomes: .refused(.wrongTopic(registered: ["clowns"]))
        ),
        Case(
            "unregistered, other topic",
            .example("n1", for: "notes"),
            to: inactiveRecipient(.expired),
            becomes: .refused(.expired(since: .dawn))
        ),
        Case("token for calls", to: calls, becomes: .refused(.wrongPurpose(TokenPurpose(.voip, of: "clowns")))),
        Case(
            "alert to the topic of a token for calls",
            .example("n1", for: "clowns.voip"),
            to: calls,
            becomes: .refused(.wrongPushType(topicOf: "voip"))
        ),
        Case(
            "app whose name ends in a suffix",
            .example("n1", for: "clowns.voip"),
            to: Recipient(device: 1, agent: 7, topics: ["clowns.voip"], purpose: TokenPurpose(.app, of: "clowns.voip")),
            becomes: stored()
        ),
        Case("stored", to: away, becomes: stored()),
        Case("stored and delivered", to: here, becomes: stored(isDelivered: true)),
        Case("until its expiration", .example("n1", expiration: 101), to: away, becomes: stored(until: 101)),
        Case("expired", .example("n1", expiration: 100), to: here, becomes: .ended(.expired)),
        Case("transient, connected", .example("n1", expiration: 0), to: here, becomes: .sent(agent: 7)),
        Case("transient, not connected", .example("n1", expiration: 0), to: away, becomes: .ended(.dropped)),
        Case("transient, held back", .example("n1", priority: 5, expiration: 0), to: saving, becomes: .ended(.dropped)),
        Case("held back", .example("n1", priority: 5), to: saving, becomes: stored()),
        Case("not held back", .example("n1", priority: 10), to: saving, becomes: stored(isDelivered: true)),
        Case("collapse identifier", .example("n1", collapseID: "c"), to: away, becomes: stored(.identifier("c"))),
        Case(
            "collapse identifier, connected",
            .example("n1", collapseID: "c"),
            to: here,
            becomes: stored(.identifier("c"), isDelivered: true)
        ),
        Case(
            "apns, not connected",
            .example("n1", collapseID: "c"),
            to: away,
            .apns,
            becomes: stored(.topic, until: month)
        ),
        Case(
            "apns, connected",
            .example("n1", collapseID: "c"),
            to: here,
            .apns,
            becomes: stored(isSlotDeferred: true, until: month, isDelivered: true)
        ),
        Case("apns, held back", .example("n1", priority: 1), to: saving, .apns, becomes: stored(.topic, until: month)),
        Case(
            "apns, shorter expiration",
            .example("n1", expiration: 500),
            to: away,
            .apns,
            becomes: stored(.topic, until: 500)
        ),
        Case(
            "apns, longer expiration",
            .example("n1", expiration: .max),
            to: away,
            .apns,
            becomes: stored(.topic, until: month)
        ),
    ]

    @Test(arguments: cases) func fateOfANotification(_ row: Case) {
        let batch = NewBatch(id: "batch", notifications: [row.notification])
        let modes = [row.notification.topic: row.mode]
        let plan = BatchPlan(batch, for: [row.recipient], modes: modes, keepsLog: true, at: .noon)
        #expect(plan.fates == [row.fate])
    }

    private func plan(
        _ notifications: [NewNotification],
        for recipients: [Recipient?],
        rejected: Int = 0,
        isAtomic: Bool = false,
        keepsLog: Bool = true
    ) -> (plan: BatchPlan, batch: NewBatch) {
        let batch = NewBatch(id: "batch", notifications: notifications, rejected: rejected, isAtomic: isAtomic)
        return (BatchPlan(batch, for: recipients, modes: [:], keepsLog: keepsLog, at: .noon), batch)
    }

    @Test(
        arguments: [
            ("run", true, true), ("run", false, false), (.standard, true, false), (.standard, false, false),
        ] as [(Namespace, Bool, Bool)]
    )
    func refusalsAloneCreateNoNamespace(_ namespace: Namespace, createsNamespace: Bool, isRefused: Bool) {
        let batch = NewBatch(id: "batch", namespace: namespace, notifications: [.example("n1")])
        let plan = BatchPlan(
            batch,
            for: [nil],
            modes: [:],
            createsNamespace: createsNamespace,
            keepsLog: true,
            at: .noon
        )
        #expect(plan.isBatchRefused == isRefused)
        #expect(plan.refusals == [.unknownToken])
    }

    @Test(
        arguments: [
            (["clowns", "clowns.voip"], nil, "voip", "clowns.voip", true),
            (["notes", "clowns.voip"], nil, "voip", "clowns.voip", true),
            (["clowns", "clowns.voip"], nil, "alert", "clowns", false),
            (["clowns.voip"], nil, "voip", "clowns.voip", false),
            (["clowns.voip", .messages, .activities], nil, "voip", "clowns.voip", false),
            (["clowns.voip"], .voip, "voip", "clowns.voip", false),
            (["clowns", "notes.voip"], nil, "alert", "notes.voip", false),
            (["clowns", "clowns.voip"], nil, "voip", "notes", false),
        ] as [(Set<Topic>, TokenPurpose.Kind?, PushType, Topic, Bool)]
    )
    func tokenForSeveralTopicsIsNoted(
        _ topics: Set<Topic>,
        kind: TokenPurpose.Kind?,
        pushType: PushType,
        topic: Topic,
        isNoted: Bool
    ) {
        let purpose = kind.map { TokenPurpose($0, of: "clowns") }
        let recipient = Recipient(device: 1, agent: 7, topics: topics, purpose: purpose)
        var notification = NewNotification.example("n1", for: topic)
        notification.pushType = pushType
        let finding = NotificationFinding(code: .missingPushType, message: "")
        notification.findings = [finding]
        let (plan, batch) = plan([.example("n0"), notification], for: [nil, recipient])
        #expect(Array(plan.findings.keys) == (isNoted ? [1] : []))
        let codes = plan.annotate(batch).notifications.map { $0.findings.map(\.code) }
        #expect(codes == [[], isNoted ? [.missingPushType, .sharedToken] : [.missingPushType]])
        notification.isBroadcast = true
        #expect(self.plan([notification], for: [recipient]).plan.findings.isEmpty)
    }

    @Test(arguments: [(false, true), (true, false)]) func onlyABroadcastNeedsNoTokenForItsTopic(
        isBroadcast: Bool,
        isRefused: Bool
    ) {
        var notification = NewNotification.example("n1", for: "clowns.push-type.liveactivity")
        notification.pushType = "liveactivity"
        notification.isBroadcast = isBroadcast
        let recipient = Recipient(device: 1, agent: 7, topics: ["jugglers"])
        let refusal = StoreRefusal.wrongTopic(registered: ["jugglers"])
        #expect(plan([notification], for: [recipient]).plan.refusals == [isRefused ? refusal : nil])
    }

    @Test func messagesAreLosslessInEveryMode() {
        let batch = NewBatch(id: "batch", notifications: [.example("n1", for: .messages)])
        let recipient = Recipient(device: 1, agent: 7, topics: [.messages])
        let plan = BatchPlan(batch, for: [recipient], modes: [.messages: .apns], keepsLog: true, at: .noon)
        #expect(plan.fates == [Self.stored()])
    }

    @Test func lastNotificationOfABatchInASlotIsStored() {
        let other = Recipient(device: 2, agent: 7, topics: ["clowns"])
        let (plan, batch) = plan(
            [
                .example("n1", collapseID: "c"), .example("n2", collapseID: "c"), .example("n3", collapseID: "c"),
                .example("n4", collapseID: "d"),
            ],
            for: [Self.away, other, Self.away, Self.away]
        )
        let slot = CollapseSlot.identifier("c")
        #expect(plan.fates[0] == .collapsed(BatchPlan.InboxPlacement(device: 1, agent: 7, slot: slot)))
        #expect(plan.fates[1] == .stored(BatchPlan.InboxPlacement(device: 2, agent: 7, slot: slot), isDelivered: false))
        #expect(plan.fates[2...] == [Self.stored(slot), Self.stored(.identifier("d"))])
        #expect(plan.countsByState == [.stored: 3, .collapsed: 1])
        let number = BatchNumber(rawValue: 4)
        let appended = plan.appendedBatch(batch, as: number, from: 50, removals: [])
        let agent = AgentID(namespace: .standard, number: 7)
        let removal = StoreChanges.Removal(agent: agent, sequence: 50, batch: number, state: .collapsed)
        #expect(appended.changes.removals == [removal])
        #expect(appended.countsByState == [.stored: 4])
    }

    @Test func everyItemHasASequenceIfALogIsKept() {
        let notifications: [NewNotification] = [
            .example("n1", expiration: 0), .example("n2"), .example("n3"), .example("n4", expiration: 0),
        ]
        let recipients = [Self.away, Self.here, nil, Self.here]
        let (logged, batch) = plan(notifications, for: recipients, rejected: 2)
        #expect(logged.sequenceOffsets == [0, 1, 2, 3])
        #expect(logged.sequenceCount == 6)
        let appended = logged.appendedBatch(batch, as: BatchNumber(rawValue: 1), from: 10, removals: [])
        #expect(appended.logSequences == 10...15)
        #expect(appended.deliveries.map(\.notification.sequence) == [11, 13])
        #expect(appended.changes.batches == [BatchNumber(rawValue: 1)])
        let (silent, _) = plan(notifications, for: recipients, rejected: 2, keepsLog: false)
        #expect(silent.sequenceOffsets == [nil, 0, nil, 1])
        #expect(silent.sequenceCount == 2)
        let unlogged = silent.appendedBatch(batch, as: BatchNumber(rawValue: 1), from: 10, removals: [])
        #expect(unlogged.logSequences == nil)
        #expect(unlogged.deliveries.map(\.notification.sequence) == [10, 11])
    }

    @Test(
        arguments: [(true, 0, [], false), (true, 1, [], true), (true, 0, [nil], true), (false, 1, [nil], false)]
            as [(Bool, Int, [Recipient?], Bool)]
    )
    func atomicBatchWithARejectedItemIsRefusedWhole(
        _ row: (isAtomic: Bool, rejected: Int, more: [Recipient?], isRefused: Bool)
    ) {
        let recipients = [Self.here] + row.more
        let notifications = recipients.map { _ in NewNotification.example("n1") }
        let (plan, _) = plan(notifications, for: recipients, rejected: row.rejected, isAtomic: row.isAtomic)
        #expect(plan.isBatchRefused == row.isRefused)
        #expect(plan.refusals == [nil] + row.more.map { _ in .unknownToken })
        #expect(plan.rejectedCount == row.rejected + row.more.count)
    }
}
