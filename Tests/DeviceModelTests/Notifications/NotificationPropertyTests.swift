import DeviceModel
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// Properties of notifications over random histories on a virtual clock.
@Suite struct NotificationPropertyTests {
    /// A random history of one app, with everything that was delivered and decided.
    private struct Walk {
        var device: NotificationDevice
        var generator: SeededGenerator
        var delivered = 0

        /// The badge by the order of the decisions, and the notifications that have set it.
        var badge: Int?
        var badged: Set<NotificationID> = []

        /// The times at which the app was started in the background.
        var launches: [Int] = []

        init(seed: UInt64) throws {
            device = try NotificationDevice(
                app: NotificationDevice.description(presents: [.banner, .badge], hasExtension: true)
            )
            generator = SeededGenerator(seed: seed)
        }

        private mutating func pick<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: values.indices, using: &generator)]
        }

        /// Makes one step, and returns what contradicts the rules.
        mutating func step() throws -> [String] {
            let former = device.model
            let effects = try event()
            note(effects)
            return contradictions(former)
        }

        private mutating func event() throws -> [DeviceEffect] {
            switch Int.random(in: 0..<12, using: &generator) {
            case 0...4: return try deliver()
            case 5: return device.wait(Int.random(in: 0...(30 * 60_000), using: &generator))
            case 6: return device.finish(try result())
            case 7: return device.apply(.setting(.lowPowerModeSet(isOn: pick([true, false]))))
            case 8: return device.apply(.scene(.appOpened(NotificationDevice.app)))
            case 9: return device.apply(.scene(.sceneBackgrounded(NotificationDevice.app, "main")))
            case 10: return device.apply(.setting(.lockSet(isOn: pick([true, false]))))
            default:
                let events: [DeviceEvent] = [
                    .system(.appForceQuit(NotificationDevice.app)),
                    .notification(
                        .notificationDismissed(
                            NotificationID(rawValue: "n\(Int.random(in: 0...delivered, using: &generator))")
                        )
                    ),
                    .setting(.backgroundRefreshSet(NotificationDevice.app, isOn: pick([true, true, false]))),
                    .setting(
                        .notificationSettingsSet(
                            NotificationDevice.app,
                            NotificationSettings(
                                badgeSetting: pick([true, true, false]),
                                scheduledDeliverySetting: pick([true, false])
                            )
                        )
                    ),
                ]
                return device.apply(pick(events))
            }
        }

        private mutating func deliver() throws -> [DeviceEffect] {
            delivered += 1
            let members = [
                pick(["", #""alert":"A""#, #""alert":"B""#]), pick(["", #""badge":\#(pick([0, 1, 2, 3]))"#]),
                pick(["", #""content-available":1"#]), pick(["", #""thread-id":"\#(pick(["a", "b"]))""#]),
                pick(["", "", #""mutable-content":1"#]), pick(["", #""relevance-score":0.\#(pick([1, 2, 3]))"#]),
            ]
            return try device.deliver(
                NotificationID(rawValue: "n\(delivered)"),
                members.filter { !$0.isEmpty }.joined(separator: ","),
                collapseID: pick([nil, nil, "c"])
            )
        }

        private mutating func result() throws -> AppCallResult {
            AppCallResult(
                fetchResult: .newData,
                presentationOptions: pick([[], [.banner], [.badge], PresentationOption.allCases]),
                payload: try NotificationDevice.payload(#""alert":"changed","badge":\#(pick([0, 4]))"#)
            )
        }

        private mutating func note(_ effects: [DeviceEffect]) {
            for effect in effects {
                switch effect {
                case .notification(.notificationPosted(let shown)), .notification(.notificationUpdated(let shown)):
                    guard let decision = device.model.decision(on: shown.id) else {
                        // Another notification of the same step has replaced it.
                        badge = device.model.badge(of: NotificationDevice.app)
                        continue
                    }
                    if let number = decision.badge, badged.insert(shown.id).inserted {
                        badge = number == 0 ? nil : number
                    }
                case .notification(.appCalled(_, let call)) where call.function == .didReceiveRemoteNotification:
                    let outcome = device.model.decision(on: call.notification.id)?.launch?.outcome
                    // The call has 30 seconds from its time, which may be before the end of the step.
                    if outcome == .launched { launches.append(call.deadline.rawValue - 30_000) }
                default: break
                }
            }
        }

        private func contradictions(_ former: DeviceModel) -> [String] {
            let model = device.model
            var found: [String] = []
            if model.badge(of: NotificationDevice.app) != badge { found.append("the badge is not \(badge ?? 0)") }
            let hour = launches.filter { $0 > device.now.rawValue - NotificationDevice.hour }
            if hour.count > 3 { found.append("\(hour.count) launches in an hour") }
            if model.calls(of: NotificationDevice.app).contains(where: { $0.deadline <= device.now }) {
                found.append("a call is older than its limit")
            }
            return found + groupContradictions(model.notificationCenter)
        }

        private func groupContradictions(_ center: NotificationList) -> [String] {
            var found: [String] = []
            let inGroups = center.groups.flatMap(\.notifications)
            let places: [NotificationDecision.Presentation?] = [.immediate, .list]
            let expected = device.model.notifications.filter { places.contains($0.presentation) }.map(\.id.rawValue)
            if inGroups.map(\.id.rawValue).sorted() != expected.sorted() {
                found.append("the groups lack or repeat one")
            }
            if Set(center.groups.map(\.threadIdentifier)).count != center.groups.count {
                found.append("two equal groups")
            }
            for group in center.groups {
                if Set(group.notifications.map(\.threadIdentifier)) != [group.threadIdentifier] {
                    found.append("a group has another thread")
                }
            }
            let scores = center.summary.map { $0.relevanceScore ?? 0 }
            if scores != scores.sorted(by: >) { found.append("the summary is not sorted") }
            return found
        }
    }

    @Test(arguments: Trials.seeds(60)) func randomHistoryKeepsTheRules(_ seed: UInt64) throws {
        var walk = try Walk(seed: seed)
        for step in 0..<120 {
            let contradictions = try walk.step()
            #expect(contradictions.isEmpty, "seed \(seed), step \(step)")
            guard contradictions.isEmpty else { return }
        }
        #expect(walk.delivered > 20)
    }

    @Test(arguments: Trials.seeds(20)) func decodedDeviceGoesOnLikeTheOriginal(_ seed: UInt64) throws {
        var walk = try Walk(seed: seed)
        for _ in 0..<60 { _ = try walk.step() }
        var copy = walk
        copy.device.model = try JSONDecoder().decode(DeviceModel.self, from: JSONEncoder().encode(walk.device.model))
        for step in 0..<60 {
            #expect(try walk.step().isEmpty)
            #expect(try copy.step().isEmpty)
            #expect(walk.device.model.notifications == copy.device.model.notifications, "step \(step)")
            #expect(walk.device.calls == copy.device.calls)
        }
    }

    @Test func randomHistoriesReachEveryOutcome() throws {
        var outcomes: Set<LaunchDecision.Outcome> = []
        var places: Set<NotificationDecision.Presentation> = []
        for seed in 0..<60 as Range<UInt64> {
            var walk = try Walk(seed: seed)
            for _ in 0..<120 {
                _ = try walk.step()
                guard let decision = walk.device.model.decision(on: NotificationID(rawValue: "n\(walk.delivered)"))
                else { continue }
                places.insert(decision.presentation)
                if let launch = decision.launch { outcomes.insert(launch.outcome) }
            }
        }
        #expect(outcomes == Set(LaunchDecision.Outcome.allCases))
        #expect(places.isSuperset(of: [.immediate, .nowhere, .summary, .pending]))
    }
}
