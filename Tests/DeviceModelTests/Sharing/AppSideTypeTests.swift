import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

/// The types that an app reads, receives and sends have no field for data of Messages and Contacts.
@Suite struct AppSideTypeTests {
    private static let secretTypes: [any Any.Type] = [
        Handle.self, ContactID.self, Contact.self, ConversationID.self, Conversation.self, MessageID.self, Message.self,
        ContentKey.self, RankedHighlight.self, LinkExplanation.self, FoundLink.self, ShelfReport.self, Person.self,
        Sharer.self, SharedLink.self, SharedConversation.self, AttributionReport.self, DisambiguationMenu.self,
        PresentedConversation.self, ShownPerson.self, ShownConversation.self, AttributionContent.self,
        AttributionDrawing.self,
    ]

    private static let secretNames = Set(secretTypes.map { String(describing: $0) })

    private static let highlight = Highlight(id: "a", url: Link.show)
    private static let change = HighlightChange(change: .moved, highlight: highlight, from: 0, to: 1)

    private static let item = MenuItem(id: "mine", title: "Mine")
    private static let finding = AttributionFinding(code: .heightTooSmall, field: "height", message: "17 would do")
    private static let size = LayoutSize(width: 1, height: 2)

    /// A value of every type that crosses to an app's side, with all optional fields set, and the names of its fields.
    ///
    /// If you add a field to such a type, decide here whether it reveals people, conversations or messages: a test
    /// cannot distinguish a plain string from a name.
    private static let values: [(value: any Sendable, fields: [String])] = [
        (highlight, ["id: HighlightID", "url: String"]),
        (highlight.id, ["rawValue: String"]),
        (
            HighlightPage(
                state: .ready,
                highlights: [highlight],
                offset: 0,
                total: 1,
                curated: false,
                curationGap: .stale
            ),
            [
                "state: HighlightsState", "highlights: Array<Highlight>", "offset: Int", "total: Int", "curated: Bool",
                "curationGap: Optional<CurationGap>",
            ]
        ),
        (change, ["change: Kind", "highlight: Highlight", "from: Optional<Int>", "to: Optional<Int>"]),
        (
            HighlightsUpdate(
                app: .tv,
                number: 1,
                state: .ready,
                total: 1,
                curated: false,
                curationGap: .stale,
                changes: [change]
            ),
            [
                "app: BundleIdentifier", "number: Int", "state: HighlightsState", "total: Int", "curated: Bool",
                "curationGap: Optional<CurationGap>", "changes: Array<HighlightChange>",
            ]
        ),
        (BundleIdentifier.tv, ["rawValue: String"]),
        (
            HighlightError(code: .accessDenied, reason: .noHighlight, message: "none"),
            ["code: Code", "reason: Reason", "message: String"]
        ),
        (
            AttributionView(app: .tv, view: "view", size: size, menu: [item], findings: [finding]),
            [
                "app: BundleIdentifier", "view: AttributionViewID", "size: LayoutSize", "menu: Array<MenuItem>",
                "findings: Array<AttributionFinding>",
            ]
        ),
        (AttributionViewID(rawValue: "view"), ["rawValue: String"]),
        (size, ["width: Double", "height: Double"]),
        (item, ["id: MenuItemID", "title: String"]),
        (item.id, ["rawValue: String"]),
        (finding, ["code: Code", "field: String", "message: String"]),
        (
            PresentationNotice(app: .tv, view: "view", state: .presented),
            ["app: BundleIdentifier", "view: AttributionViewID", "state: State"]
        ),
        (
            ChosenMenuItem(app: .tv, view: "view", item: "mine"),
            ["app: BundleIdentifier", "view: AttributionViewID", "item: MenuItemID"]
        ),
        (
            preferences,
            [
                "displayContext: DisplayContext", "horizontalAlignment: HorizontalAlignment",
                "backgroundStyle: BackgroundStyle", "preferredMaxLayoutWidth: Double", "width: Optional<Double>",
                "height: Optional<Double>", "minimumContentSizeCategory: Optional<ContentSizeCategory>",
                "maximumContentSizeCategory: Optional<ContentSizeCategory>",
                "menuTitleForHideAction: Optional<String>", "supplementalMenu: Array<MenuItem>",
            ]
        ),
    ]

    private static let preferences = AttributionPreferences(
        width: 1,
        height: 2,
        minimumContentSizeCategory: .small,
        maximumContentSizeCategory: .large,
        menuTitleForHideAction: "Remove Show",
        supplementalMenu: [item]
    )

    /// The events of an app's views, and their associated values.
    private static let feedback: [(event: DeviceEvent, fields: [String])] = [
        (
            .attributionAttached(.tv, "view", url: Link.show, .detail),
            [
                "attributionAttached: (BundleIdentifier, AttributionViewID, url: Optional<String>, Optional<DisplayContext>)"
            ]
        ),
        (
            .attributionRequested(.tv, "view", url: Link.show, preferences),
            [
                "attributionRequested: (BundleIdentifier, AttributionViewID, url: String, AttributionPreferences)"
            ]
        ),
        (.attributionReleased(.tv, "view"), ["attributionReleased: (BundleIdentifier, AttributionViewID)"]),
        (
            .attributionTapped(.tv, "view", "scene"),
            ["attributionTapped: (BundleIdentifier, AttributionViewID, Optional<SceneIdentifier>)"]
        ),
        (
            .menuItemChosen(.tv, "view", .reply, "scene"),
            ["menuItemChosen: (BundleIdentifier, AttributionViewID, MenuItemID, Optional<SceneIdentifier>)"]
        ),
        (.attributionDetached(.tv, "view"), ["attributionDetached: (BundleIdentifier, AttributionViewID)"]),
        (
            .attributionContextChanged(.tv, "view", .summary),
            ["attributionContextChanged: (BundleIdentifier, AttributionViewID, DisplayContext)"]
        ),
        (.highlightInteracted(.tv, url: Link.show), ["highlightInteracted: (BundleIdentifier, url: String)"]),
        (.contentFinished(.tv, url: Link.show), ["contentFinished: (BundleIdentifier, url: String)"]),
    ]

    @Test(.proves("B64", "B65")) func valuesForAppsHaveNoFieldForPeopleAndConversations() {
        for (value, _) in Self.values { expectNoSecret(in: value, at: "\(type(of: value))") }
    }

    @Test(.proves("B64", "B65")) func eventsOfAppsHaveNoFieldForPeopleAndConversations() {
        for (event, _) in Self.feedback { expectNoSecret(in: event, at: "\(event.kind)") }
    }

    @Test(.proves("B64", "B65")) func valuesForAppsHaveOnlyReviewedFields() {
        for (value, fields) in Self.values { #expect(Self.fields(of: value) == fields, "\(type(of: value))") }
    }

    @Test(.proves("B64", "B65")) func eventsOfAppsHaveOnlyReviewedFields() {
        for (event, fields) in Self.feedback { #expect(Self.fields(of: event) == fields) }
    }

    @Test(.proves("B62", "B64", "B65")) func presentationsOfTheDeviceAreSecret() {
        let menu = DisambiguationMenu(
            app: .tv,
            url: Link.show,
            title: "",
            choices: [.init(conversation: "c", title: "")]
        )
        let conversation = PresentedConversation(app: .tv, url: Link.show, conversation: "c", title: "")
        for value in [menu, conversation] as [any Sendable] {
            #expect(Self.secrets(in: value, at: "it") == ["it: \(type(of: value))"])
        }
    }

    @Test func searchFindsSecrets() {
        let message = Message(id: "m", conversation: "c", sender: .enrique, text: "")
        #expect(Self.secrets(in: message, at: "message") == ["message: Message"])
        #expect(Self.secrets(in: [Handle.enrique], at: "list") == ["list: Array<Handle>"])
        #expect(Self.secrets(in: (1, (Handle.enrique, "a")), at: "pair") == ["pair: (Int, (Handle, String))"])
        #expect(
            Self.secrets(in: Envelope(note: "", inner: Envelope.Inner()), at: "it") == [
                "it.inner.sender: Optional<Handle>"
            ]
        )
        #expect(
            Self.secrets(in: DeviceEvent.messageReceived(message), at: "event") == ["event.messageReceived: Message"]
        )
    }

    @Test func searchFindsFieldsOfAbsentSecrets() {
        let (nobody, nothing): (Handle?, [[MessageID?]]) = (nil, [])
        let (nowhere, doors): ([String: ContactID], [HandleOfADoor?]) = ([:], [])
        #expect(Self.secrets(in: nobody as Any, at: "nobody") == ["nobody: Optional<Handle>"])
        #expect(Self.secrets(in: nothing, at: "nothing") == ["nothing: Array<Array<Optional<MessageID>>>"])
        #expect(Self.secrets(in: nowhere, at: "nowhere") == ["nowhere: Dictionary<String, ContactID>"])
        #expect(Self.secrets(in: doors, at: "doors").isEmpty)
    }

    private func expectNoSecret(in value: Any, at path: String) {
        #expect(Self.secrets(in: value, at: path).isEmpty)
    }

    /// Returns the stored fields of a value with their types, in order.
    private static func fields(of value: Any) -> [String] {
        Mirror(reflecting: value).children.map { "\($0.label ?? ""): \(type(of: $0.value))" }
    }

    /// Returns the paths of all secrets and fields for secrets in a value; it does not descend into a secret.
    private static func secrets(in value: Any, at path: String) -> [String] {
        // The type name of an optional, array or tuple includes the element types, even if the value is empty.
        let name = String(describing: type(of: value))
        let parts = name.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        guard secretNames.isDisjoint(with: parts) else { return ["\(path): \(name)"] }
        return Mirror(reflecting: value).children.enumerated().flatMap { place, child in
            secrets(in: child.value, at: "\(path).\(child.label ?? "\(place)")")
        }
    }
}

/// A type with an absent secret in a nested value.
private struct Envelope {
    struct Inner {
        var sender: Handle?
    }

    var note: String
    var inner: Inner
}

/// A type whose name only begins like a secret's.
private struct HandleOfADoor {}
