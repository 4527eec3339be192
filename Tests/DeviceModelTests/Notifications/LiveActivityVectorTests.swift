import DeviceModel
import Testing
import WaypostSchema

/// Live Activities as developers saw them.
@Suite struct LiveActivityVectorTests {
    /// Goes through the steps of a case; returns the device and the last push.
    private static func device(after vector: LiveActivityVector) throws -> (NotificationDevice, NotificationID?) {
        var device = try NotificationDevice(app: vector.appDescription(), system: vector.system)
        var last: NotificationID?
        for (index, step) in vector.steps.enumerated() {
            if let seconds = step.advance { device.wait(seconds * 1_000) }
            if let event = step.event {
                for case .system(.eventIgnored(let ignored)) in device.apply(event) {
                    Issue.record("step \(index + 1): \(ignored.explanation)")
                }
            }
            let id = NotificationID(rawValue: "n\(index + 1)")
            guard let notification = step.notification(id) else { continue }
            device.apply(.notification(.notificationDelivered(notification)))
            last = id
        }
        return (device, last)
    }

    @Test(arguments: try LiveActivityVector.all())
    func deviceReactsToTheLastPush(_ vector: LiveActivityVector) throws {
        let (device, last) = try Self.device(after: vector)
        let decision = try #require(last.flatMap { device.model.decision(on: $0) })
        let reaction = try #require(decision.liveActivity)
        #expect(reaction.outcome == vector.outcome, "\(reaction.explanation)")
        #expect(NotificationDevice.failure(reaction.gates) == [vector.gate].compactMap(\.self))
        for part in vector.explanation ?? [] {
            #expect(reaction.explanation.contains(part), "\(reaction.explanation)")
        }
        if let hasSound = vector.hasSound { #expect((decision.sound != nil) == hasSound) }
        // A push that is ignored is not presented, either.
        if vector.outcome == .ignored { #expect(decision.presentation == .nowhere) }
    }

    @Test(arguments: try LiveActivityVector.all())
    func deviceHasItsActivitiesAndTokens(_ vector: LiveActivityVector) throws {
        let model = try Self.device(after: vector).0.model
        if let states = vector.states { #expect(model.liveActivities.map(\.state) == states) }
        if let contentState = vector.contentState { #expect(model.liveActivities.last?.contentState == contentState) }
        if let tokens = vector.tokens { #expect(model.tokens.current.map(\.purpose.kind) == tokens) }
    }

    @Test func everyGateOfALiveActivityFailsInACase() throws {
        let gates = Set(try LiveActivityVector.all().compactMap(\.gate))
        #expect(gates == [.event, .system, .token, .authorization, .activity, .timestamp, .decoding, .budget])
    }

    @Test func everyCaseHasItsOwnNameAndASource() throws {
        let vectors = try LiveActivityVector.all()
        #expect(Set(vectors.map(\.case)).count == vectors.count)
        #expect(vectors.allSatisfy { !$0.source.isEmpty })
    }
}
