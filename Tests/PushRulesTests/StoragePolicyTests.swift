import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct StoragePolicyTests {
    @Test(
        arguments: [
            (.lossless, "com.example.clowntown", .lossless), (.apns, "com.example.clowntown", .apns),
            (.lossless, "waypost.messages", .lossless), (.apns, "waypost.messages", .lossless),
            (.apns, "waypost.messages.voip", .apns), (.apns, "Waypost.Messages", .apns), (.apns, "", .apns),
        ] as [(StorageMode, Topic, StorageMode)]
    )
    func everyAppExceptMessagesHasItsChosenMode(_ mode: StorageMode, _ topic: Topic, _ inForce: StorageMode) {
        #expect(StoragePolicy(mode, for: topic).mode == inForce)
        #expect(StoragePolicy.canChoose(mode, for: topic) == (mode == inForce))
    }

    @Test(
        arguments: [
            (.lossless, nil, nil), (.lossless, "crusty", .identifier("crusty")), (.lossless, "", .identifier("")),
            (.apns, nil, .topic), (.apns, "crusty", .topic),
        ] as [(StorageMode, CollapseIdentifier?, CollapseSlot?)]
    )
    func slotDependsOnTheCollapseIdentifierOrTheTopic(
        _ mode: StorageMode,
        _ collapseID: CollapseIdentifier?,
        _ slot: CollapseSlot?
    ) {
        #expect(StoragePolicy(mode, for: "com.example.clowntown").slot(collapseID: collapseID) == slot)
    }

    @Test func slotOfMessagesDependsOnTheCollapseIdentifier() {
        let policy = StoragePolicy(.apns, for: .messages)
        #expect(policy.slot(collapseID: "crusty") == .identifier("crusty"))
        #expect(policy.slot(collapseID: nil) == nil)
    }

    @Test func apnsStorageLasts30DaysAtMost() {
        #expect(StoragePolicy.maximumStorageSeconds == 2_592_000)
    }

    static let extremes = [Int.min, .min + 1, -1_000, -1, 0, 1, 999, 1_000, .max / 1_000, .max - 1, .max]

    @Test(arguments: extremes, extremes.filter { $0 >= 0 })
    func extremeTimesKeepTheRules(_ milliseconds: Int, _ expiration: Int) {
        for mode in StorageMode.allCases {
            let now = Timestamp(milliseconds: milliseconds)
            expectRules(of: mode, NotificationTraits(priority: 5, expiration: expiration), .away, now)
            expectRules(of: mode, NotificationTraits(priority: 5, expiration: nil), .away, now)
        }
    }

    @Test(arguments: Trials.seeds(20))
    func everyArrivalKeepsTheRules(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let now = Timestamp(milliseconds: .random(in: 0...4_000_000_000, using: &random))
            let near = max(0, now.seconds + .random(in: -2...2, using: &random))
            let traits = NotificationTraits(
                priority: [10, 5, 1].element(&random),
                expiration: [nil, 0, near, .random(in: 0...8_000_000, using: &random)].element(&random),
                collapseID: [nil, "x", "y"].element(&random)
            )
            let device = DeviceReachability(
                isConnected: .random(using: &random),
                isLowPowerModeEnabled: .random(using: &random)
            )
            expectRules(of: StorageMode.allCases.element(&random), traits, device, now)
        }
    }

    /// Checks the documented rules of an arrival one by one.
    private func expectRules(
        of mode: StorageMode,
        _ traits: NotificationTraits,
        _ device: DeviceReachability,
        _ now: Timestamp
    ) {
        let arrival = StoragePolicy(mode, for: "com.example.clowntown").decision(on: traits, for: device, now: now)
        let waits = !device.isConnected || (device.isLowPowerModeEnabled && traits.priority < 10)
        let comment: Comment = "\(mode), \(traits), \(device), at \(now.rawValue) ms"
        switch arrival {
        case .send: #expect(traits.expiration == 0 && !waits, comment)
        case .drop: #expect(traits.expiration == 0 && waits, comment)
        case .expire:
            let expiration = traits.expiration ?? .max
            #expect(expiration != 0 && expiration <= now.seconds, comment)
        case .store(let slot, let deadline):
            #expect(traits.expiration != 0, comment)
            #expect((deadline ?? .max) > now.seconds, comment)
            switch mode {
            case .lossless:
                #expect(deadline == traits.expiration, comment)
                #expect(slot == traits.collapseID.map(CollapseSlot.identifier), comment)
            case .apns:
                let longest = now.seconds + 2_592_000
                #expect(deadline == min(traits.expiration ?? longest, longest), comment)
                #expect(slot == (waits ? .topic : nil), comment)
            }
        }
    }
}

extension DeviceReachability {
    fileprivate static let away = DeviceReachability(isConnected: false)
}
