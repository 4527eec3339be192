internal import FoundationEssentials
internal import WaypostSchema

/// Notifications of the topic `waypost.messages`: the payload is what happens in Messages, as a line of a journal has it.
enum MessagesPush {
    /// Returns what a payload says.
    ///
    /// - Throws: `IgnoredEvent` where it is no event, or one of something else than Messages and Contacts.
    static func event(in payload: JSONValue) throws(IgnoredEvent) -> DeviceEvent {
        let event: DeviceEvent
        do {
            event = try JSONDecoder().decode(DeviceEvent.self, from: try JSONEncoder().encode(payload))
        } catch let error as DecodingError {
            throw IgnoredEvent(reason: .noMessagesEvent, explanation: "the payload is no event: \(error.sentence)")
        } catch {
            throw IgnoredEvent(reason: .noMessagesEvent, explanation: "the payload is no event")
        }
        switch event.kind {
        case .contactChanged, .contactRemoved, .conversationChanged, .conversationDeleted, .messageReceived,
            .messageEdited, .messageDeleted, .linkPinned, .linkUnpinned:
            return event
        default:
            throw IgnoredEvent(
                reason: .noMessagesEvent,
                explanation: "'\(event.kind.rawValue)' is nothing that happens in Messages or Contacts"
            )
        }
    }
}
