import PushRules
import Testing
import WaypostSchema

/// The outcome for a notification that the gateway has just accepted.
@Suite struct ArrivalTests {
    static let now = Timestamp(milliseconds: 1_790_000_000_999)
    static let second = 1_790_000_000
    static let month = 2_592_000

    static let reachable = DeviceReachability(isConnected: true)
    static let away = DeviceReachability(isConnected: false)
    static let weak = DeviceReachability(isConnected: true, isLowPowerModeEnabled: true)
    static let weakAndAway = DeviceReachability(isConnected: false, isLowPowerModeEnabled: true)

    @Test(
        arguments: [
            (10, reachable, .send), (5, reachable, .send), (1, reachable, .send),
            (10, weak, .send), (5, weak, .drop), (1, weak, .drop),
            (10, away, .drop), (5, away, .drop), (1, away, .drop),
            (10, weakAndAway, .drop), (5, weakAndAway, .drop), (1, weakAndAway, .drop),
        ] as [(Int, DeviceReachability, ArrivalDecision)]
    )
    func transientNotificationIsSentNowOrDropped(
        _ priority: Int,
        _ device: DeviceReachability,
        _ arrival: ArrivalDecision
    ) {
        for collapseID in [nil, "crusty"] as [CollapseIdentifier?] {
            let traits = NotificationTraits(priority: priority, expiration: 0, collapseID: collapseID)
            #expect(Self.arrival(in: .lossless, traits, device) == arrival)
            #expect(Self.arrival(in: .apns, traits, device) == arrival)
        }
    }

    @Test(arguments: StorageMode.allCases, [reachable, away, weak, weakAndAway])
    func expiredNotificationIsNotStored(_ mode: StorageMode, _ device: DeviceReachability) {
        for expiration in [1, Self.second - 1, Self.second] {
            let traits = NotificationTraits(priority: 5, expiration: expiration, collapseID: "crusty")
            #expect(Self.arrival(in: mode, traits, device) == .expire)
        }
    }

    @Test(
        arguments: [
            (traits(), away, nil, nil),
            (traits(), reachable, nil, nil),
            (traits(expiration: second + 1), away, nil, second + 1),
            (traits(expiration: second + month + 1), reachable, nil, second + month + 1),
            (traits(collapseID: "crusty"), away, .identifier("crusty"), nil),
            (traits(5, collapseID: "crusty"), reachable, .identifier("crusty"), nil),
            (traits(1, collapseID: "crusty"), weak, .identifier("crusty"), nil),
        ] as [(NotificationTraits, DeviceReachability, CollapseSlot?, Int?)]
    )
    func losslessStorageQueuesAndReplacesByCollapseIdentifier(
        _ traits: NotificationTraits,
        _ device: DeviceReachability,
        _ slot: CollapseSlot?,
        _ deadline: Int?
    ) {
        #expect(Self.arrival(in: .lossless, traits, device) == .store(slot: slot, deadline: deadline))
    }

    @Test(
        arguments: [
            (traits(), away, .topic, second + month),
            (traits(collapseID: "crusty"), away, .topic, second + month),
            (traits(expiration: second + 1), away, .topic, second + 1),
            (traits(expiration: second + month), away, .topic, second + month),
            (traits(expiration: second + month + 1), away, .topic, second + month),
            (traits(), weakAndAway, .topic, second + month),
            (traits(), reachable, nil, second + month),
            (traits(1, collapseID: "crusty"), reachable, nil, second + month),
            (traits(), weak, nil, second + month),
            (traits(5), weak, .topic, second + month),
            (traits(1, collapseID: "crusty"), weak, .topic, second + month),
        ] as [(NotificationTraits, DeviceReachability, CollapseSlot?, Int)]
    )
    func apnsStorageKeepsOneForAnUnreachableDevice(
        _ traits: NotificationTraits,
        _ device: DeviceReachability,
        _ slot: CollapseSlot?,
        _ deadline: Int
    ) {
        #expect(Self.arrival(in: .apns, traits, device) == .store(slot: slot, deadline: deadline))
    }

    @Test(arguments: StorageMode.allCases, [reachable, away, weak, weakAndAway])
    func messagesAreAlwaysStoredLosslessly(_ mode: StorageMode, _ device: DeviceReachability) {
        let policy = StoragePolicy(mode, for: .messages)
        let arrival = policy.decision(on: Self.traits(5, collapseID: "crusty"), for: device, now: Self.now)
        #expect(arrival == .store(slot: .identifier("crusty"), deadline: nil))
    }

    private static func arrival(
        in mode: StorageMode,
        _ traits: NotificationTraits,
        _ device: DeviceReachability
    ) -> ArrivalDecision {
        StoragePolicy(mode, for: "com.example.clowntown").decision(on: traits, for: device, now: now)
    }

    private static func traits(
        _ priority: Int = 10,
        expiration: Int? = nil,
        collapseID: CollapseIdentifier? = nil
    ) -> NotificationTraits {
        NotificationTraits(priority: priority, expiration: expiration, collapseID: collapseID)
    }
}
