import Testing
import WaypostSchema
import WaypostTestSupport

/// The values that an app reads, is told and sends have no place for what belongs to Messages and Contacts.
@Suite struct AppSideTypeTests {
    private static let secretTypes: [any Any.Type] = [
        Handle.self, ContactID.self, Contact.self, ConversationID.self, Conversation.self, MessageID.self, Message.self,
        ContentKey.self, RankedHighlight.self, LinkExplanation.self,
    ]

    private static let highlight = Highlight(id: "a", url: Link.show)

    /// A value of every type that crosses to an app's side, with all that can be absent.
    private static let values: [any Sendable] = [
        highlight,
        HighlightPage(state: .ready, highlights: [highlight], offset: 0, total: 1, curated: false, curationGap: .stale),
        HighlightChange(change: .moved, highlight: highlight, from: 0, to: 1),
        HighlightsUpdate(
            app: .tv,
            number: 1,
            state: .ready,
            total: 1,
            curated: true,
            changes: [HighlightChange(change: .updated, highlight: highlight, from: 0, to: 0)]
        ),
        HighlightFault(code: .accessDenied, reason: .noHighlight, message: "none"),
    ]

    /// The events by which an app's views feed back.
    private static let feedback: [DeviceEvent] = [
        .attributionAttached(.tv, "view", url: Link.show, .detail), .attributionDetached(.tv, "view"),
        .attributionContextChanged(.tv, "view", .summary), .highlightInteracted(.tv, url: Link.show),
        .contentFinished(.tv, url: Link.show),
    ]

    @Test(.proves("B64", "B65")) func nothingThatAnAppReadsHasAPlaceForPeopleAndConversations() {
        for value in Self.values { expectNoSecret(in: value, at: "\(type(of: value))") }
    }

    @Test(.proves("B64", "B65")) func nothingThatAnAppFeedsBackHasAPlaceForPeopleAndConversations() {
        for event in Self.feedback { expectNoSecret(in: event, at: "\(event.kind)") }
    }

    @Test func walkFindsWhatItLooksFor() {
        let message = Message(id: "m", conversation: "c", sender: .enrique, text: "")
        #expect(Self.secrets(in: message, at: "message").count == 4)
        #expect(Self.secrets(in: DeviceEvent.messageReceived(message), at: "event").count == 4)
        #expect(Self.secrets(in: [Handle.enrique as Handle?], at: "handles").count == 1)
    }

    private func expectNoSecret(in value: Any, at path: String) {
        #expect(Self.secrets(in: value, at: path).isEmpty)
    }

    /// Returns the paths of what is secret in a value, transitively.
    private static func secrets(in value: Any, at path: String) -> [String] {
        let own = secretTypes.contains { $0 == type(of: value) } ? ["\(path): \(type(of: value))"] : []
        return own
            + Mirror(reflecting: value).children.enumerated().flatMap { place, child in
                secrets(in: child.value, at: "\(path).\(child.label ?? "\(place)")")
            }
    }
}
