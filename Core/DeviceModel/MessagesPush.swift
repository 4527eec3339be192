internal import JSONScanning
internal import WaypostSchema

/// Reads notifications with the topic `waypost.messages`: their payload is an event of Messages, as in a journal.
enum MessagesPush {
    /// Returns the event in a payload.
    ///
    /// - Throws: `IgnoredEvent` if the payload is not an event of Messages or Contacts.
    static func event(in payload: JSONValue) throws(IgnoredEvent) -> SharingEvent {
        let event: DeviceEvent
        do {
            event = try DocumentDecoder.decode(DeviceEvent.self, from: payload.node)
        } catch let error as DecodingError {
            throw IgnoredEvent(reason: .noMessagesEvent, explanation: "the payload is not an event: \(error.sentence)")
        } catch {
            throw IgnoredEvent(reason: .noMessagesEvent, explanation: "the payload is not an event")
        }
        guard case .sharing(let sharingEvent) = event, sharingEvent.isFromMessages else {
            throw IgnoredEvent(
                reason: .noMessagesEvent,
                explanation: "'\(event.kind.rawValue)' is not an event of Messages or Contacts"
            )
        }
        return sharingEvent
    }
}

extension SharingEvent {
    /// Whether Messages or Contacts can report the event, and not only the user of this device.
    fileprivate var isFromMessages: Bool {
        switch self {
        case .contactChanged, .contactRemoved, .conversationChanged, .conversationDeleted, .messageReceived,
            .messageEdited, .messageDeleted, .linkPinned, .linkUnpinned:
            true
        case .linkResolved, .linkRemoved, .linkRestored, .sharingSet, .automaticSharingSet,
            .automaticSharingOfferAnswered, .highlightInteracted, .contentFinished:
            false
        }
    }
}
