import DeviceModel
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// A line of `Tests/Vectors/communication/notifications.jsonl`.
struct CommunicationVector: Decodable, Sendable, CustomTestStringConvertible {
    let `case`: String
    let source: String
    let payload: JSONValue
    let focus: Focus?
    let settings: NotificationSettings?
    let result: AppCallResult?
    let presentation: NotificationDecision.Presentation
    let gate: NotificationGate?
    let explanation: String?

    var testDescription: String {
        `case`
    }

    static func all() throws -> [Self] {
        try Repository.lines(of: Repository.vectors.appending(path: "communication/notifications.jsonl"))
            .map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }
}

/// Messages of people, a Focus and the summary, as developers saw them.
@Suite struct CommunicationVectorTests {
    private static let enrique = Contact(
        id: "enrique",
        givenName: "Enrique",
        familyName: "Baez",
        handles: ["enrique@clowns.example", "+1 (555) 0100"]
    )

    @Test(arguments: try CommunicationVector.all())
    func notificationAppearsInItsPlace(_ vector: CommunicationVector) throws {
        let app = NotificationDevice.description(settings: vector.settings, hasExtension: true)
        var device = try NotificationDevice(app: app, focus: vector.focus)
        device.apply(.sharing(.contactChanged(Self.enrique)))
        let notification = DeliveredNotification(
            sequence: 1,
            id: "n",
            token: "00",
            topic: Topic(rawValue: NotificationDevice.app.rawValue),
            pushType: .alert,
            priority: 10,
            payload: vector.payload
        )
        device.apply(.notification(.notificationDelivered(notification)))
        if let result = vector.result { device.finish(result) } else { device.wait(30_000) }
        let decision = try #require(device.model.decision(on: "n"))
        #expect(decision.presentation == vector.presentation, "\(decision.explanation)")
        #expect(decision.gates.first { $0.status == .fail }?.gate == vector.gate)
        guard let explanation = vector.explanation else { return }
        let verdict = try #require(decision.gates.first { $0.gate == vector.gate ?? .communication })
        #expect(verdict.explanation.contains(explanation), "\(verdict.explanation)")
    }
}
