import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// A line of `Tests/Vectors/live-activities/pushes.jsonl`: pushes for Live Activities, and what a device does.
struct LiveActivityVector: Decodable, Sendable, CustomTestStringConvertible {
    /// A push, an event of the device, or a time that passes.
    struct Step: Decodable, Sendable {
        let payload: JSONValue?
        let token: DeviceToken?
        let collapseID: CollapseIdentifier?
        let priority: Int?
        let event: DeviceEvent?

        /// A number of seconds.
        let advance: Int?
    }

    let `case`: String
    let source: String
    let system: SystemVersion?
    let app: [String: JSONValue]?
    let steps: [Step]
    let outcome: LiveActivityDecision.Outcome
    let gate: NotificationGate?
    let explanation: [String]?
    let states: [LiveActivity.State]?
    let contentState: JSONValue?
    let tokens: [TokenPurpose.Kind]?
    let hasSound: Bool?

    var testDescription: String {
        `case`
    }

    static func all() throws -> [Self] {
        try Repository.lines(of: Repository.vectors.appending(path: "live-activities/pushes.jsonl"))
            .map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }

    /// The app, which has Live Activities.
    func appDescription() throws -> AppDescription {
        let members: [String: JSONValue] = [
            "bundleIdentifier": .string(NotificationDevice.app.rawValue),
            "scenes": .array([]),
            "supportsLiveActivities": .bool(true),
        ]
        let description = JSONValue.object(members.merging(app ?? [:]) { $1 })
        return try JSONDecoder().decode(AppDescription.self, from: JSONEncoder().encode(description))
    }
}

extension LiveActivityVector.Step {
    /// Returns the push; `nil` if the step is something else.
    func notification(_ id: NotificationID) -> DeliveredNotification? {
        payload.map { payload in
            DeliveredNotification(
                sequence: 1,
                id: id,
                token: token ?? "00",
                topic: Topic(rawValue: NotificationDevice.app.rawValue + ".push-type.liveactivity"),
                pushType: "liveactivity",
                priority: priority ?? 10,
                collapseID: collapseID,
                payload: payload
            )
        }
    }
}
