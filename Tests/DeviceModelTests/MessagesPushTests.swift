import DeviceModel
import Foundation
import Testing
import WaypostSchema

/// Notifications of the topic `waypost.messages`.
@Suite struct MessagesPushTests {
    private static let at = Timestamp.talk

    /// Returns a notification whose payload is an event.
    private static func push(_ event: DeviceEvent, _ id: NotificationID) throws -> DeviceEvent {
        let payload = try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(event))
        return push(payload, id)
    }

    private static func push(_ payload: JSONValue, _ id: NotificationID) -> DeviceEvent {
        var notification = DeliveredNotification.example(id, for: .messages)
        notification.payload = payload
        return .notification(.notificationDelivered(notification))
    }

    private static let events: [DeviceEvent] = [
        .sharing(.contactChanged(.sarah)),
        .sharing(.conversationChanged(Conversation(id: "group", name: "Film club", participants: ["+14085550101"]))),
        .sharing(
            .messageReceived(Message(id: "p1", conversation: .enrique, sender: .enrique, text: "\(Link.show) and more"))
        ),
        .sharing(.messageReceived(Message(id: "p2", conversation: .enrique, sender: .enrique, text: "never mind"))),
        .sharing(.linkPinned("p1", url: nil)),
        .sharing(.messageEdited("p2", text: "do mind")),
        .sharing(.messageDeleted("p2")),
    ]

    @Test func pushedEventIsApplied() throws {
        var (told, pushed) = (SharingDevice(), SharingDevice())
        for (number, event) in Self.events.enumerated() {
            let effects = told.apply(event)
            #expect(pushed.apply(try Self.push(event, NotificationID(rawValue: "n\(number)"))) == effects)
        }
        #expect(told.shelf() == [Link.show])
        #expect(pushed.shelf() == [Link.show])
        #expect(pushed.model.notifications.isEmpty)
        #expect(pushed.explanation(of: Link.show) == told.explanation(of: Link.show))
    }

    @Test func repeatedPushIsAppliedOnce() throws {
        var device = SharingDevice()
        device.apply(try Self.push(Self.events[2], "n1"))
        device.apply(try Self.push(Self.events[4], "n2"))
        device.apply(.sharing(.linkUnpinned("p1", url: nil)))
        // The push is a repetition, so it does not pin the link again.
        #expect(device.apply(try Self.push(Self.events[4], "n2")) == [.notification(.repetitionIgnored("n2"))])
        #expect(device.model.hasReceived("n2"))
        #expect(device.shelf().isEmpty)
    }

    @Test(
        arguments: [
            (.object(["type": .string("appRemoved"), "app": .string("com.example.tv")]), "'appRemoved'"),
            (.object(["type": .string("timePassed")]), "'timePassed'"),
            (.object(["type": .string("teleported")]), "the payload is not an event"),
            (.object(["aps": .object([:])]), "the payload is not an event"),
            (.object(["type": .string("messageDeleted")]), "message"),
            (.string("messageDeleted"), "the payload is not an event"),
        ] as [(JSONValue, String)]
    )
    func payloadThatIsNotAMessagesEventChangesNothing(_ payload: JSONValue, _ word: String) throws {
        var device = SharingDevice()
        let before = device.model.description
        let effects = device.apply(Self.push(payload, "n1"))
        #expect(effects.ignored == [.noMessagesEvent])
        guard case .system(.eventIgnored(let ignored)) = effects.first else { return }
        #expect(ignored.explanation.contains(word))
        #expect(device.model.description == before)
    }
}
