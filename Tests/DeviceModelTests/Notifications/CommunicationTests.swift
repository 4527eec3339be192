import Attribution
import DeviceModel
import Testing
import WaypostSchema

/// Communication notifications: the sender whom a service extension names, Contacts, the Focus and the summary.
@Suite struct CommunicationTests {
    private static let enrique = Contact(
        id: "enrique",
        givenName: "Enrique",
        familyName: "Baez",
        handles: ["enrique@clowns.example", "+1 (555) 0100"]
    )

    private static let mutable =
        #""alert":{"title":"Chat","body":"Where are you?"},"sound":"default","mutable-content":1"#

    /// A device with a contact, and an app with a service extension.
    private static func device(
        _ focus: Focus? = nil,
        settings: NotificationSettings? = nil,
        hasExtension: Bool = true
    ) throws -> NotificationDevice {
        let app = NotificationDevice.description(settings: settings, hasExtension: hasExtension)
        var device = try NotificationDevice(app: app, focus: focus)
        device.apply(.sharing(.contactChanged(enrique)))
        return device
    }

    private static func communication(_ sender: CommunicationSender) -> AppCallResult {
        AppCallResult(communication: Communication(sender: sender))
    }

    /// A sender, the people whom a Focus allows, and what follows.
    struct Case: Sendable, CustomTestStringConvertible {
        var sender: CommunicationSender
        var people: [String]?
        var isAllowed = true
        var title: String? = "Enrique Baez"
        var card: ContactID? = "enrique"
        var reason: String
        var testDescription: String { reason }
    }

    @Test(arguments: [
        Case(
            sender: CommunicationSender(contact: "enrique"),
            people: ["enrique"],
            reason: "the Focus Work allows Enrique Baez"
        ),
        Case(
            sender: CommunicationSender(name: "E.", handle: "Enrique@Clowns.example"),
            people: ["enrique"],
            reason: "the Focus Work allows Enrique Baez"
        ),
        Case(
            sender: CommunicationSender(handle: "+15550100"),
            people: ["anna", "ENRIQUE@clowns.example"],
            reason: "the Focus Work allows Enrique Baez"
        ),
        Case(
            sender: CommunicationSender(handle: "enrique@clowns.example", contact: "nobody"),
            people: ["+1 555 0100"],
            reason: "the Focus Work allows Enrique Baez"
        ),
        Case(
            sender: CommunicationSender(name: "Anna Smith", handle: "anna@balloons.example"),
            people: ["anna@balloons.example"],
            title: "Anna Smith",
            card: nil,
            reason: "the Focus Work allows Anna Smith"
        ),
        Case(
            sender: CommunicationSender(contact: "enrique"),
            people: ["anna"],
            isAllowed: false,
            reason: "the Focus Work does not allow Enrique Baez"
        ),
        Case(
            sender: CommunicationSender(name: "Anna Smith", handle: "anna@balloons.example"),
            people: ["enrique"],
            isAllowed: false,
            title: "Anna Smith",
            card: nil,
            reason: "the Focus Work does not allow Anna Smith, who is not in Contacts"
        ),
        Case(
            sender: CommunicationSender(handle: "crusty_the_clown"),
            people: ["crusty_the_clown"],
            isAllowed: false,
            title: "crusty_the_clown",
            card: nil,
            reason: "the Focus Work does not allow crusty_the_clown, whose handle 'crusty_the_clown' is neither a "
                + "phone number nor an email address"
        ),
        Case(
            sender: CommunicationSender(contact: "enrique"),
            people: nil,
            isAllowed: false,
            reason: "the Focus Work allows no people"
        ),
    ])
    func focusAllowsPeople(_ example: Case) throws {
        var device = try Self.device(Focus(name: "Work", allowedPeople: example.people))
        try device.deliver("n", Self.mutable)
        device.finish(Self.communication(example.sender))
        let decision = try #require(device.model.decision(on: "n"))
        let verdict = try #require(decision.gates.first { $0.gate == .communication })
        #expect(verdict.explanation == example.reason)
        #expect((verdict.status == .pass) == example.isAllowed)
        #expect(decision.presentation == (example.isAllowed ? .immediate : .list))
        #expect((decision.sound != nil) == example.isAllowed)
        let failed: [NotificationGate] = example.isAllowed ? [] : [.communication, .focus, .sound]
        #expect(NotificationDevice.failure(decision.gates) == failed)
        let shown = try #require(device.model.notifications.first)
        #expect((shown.title, shown.body) == (example.title, "Where are you?"))
        #expect(shown.sender == example.card)
    }

    /// A notification that no sender helps past a Focus that lists people.
    struct Unsent: Sendable, CustomTestStringConvertible {
        var reason: String
        var aps = CommunicationTests.mutable
        var hasExtension = true
        var result: AppCallResult?
        var testDescription: String { reason }
    }

    @Test(arguments: [
        Unsent(
            reason: "the payload is not mutable, so nothing names the sender",
            aps: #""alert":"A","sound":"default""#
        ),
        Unsent(reason: "com.example.tv has no service extension, so nothing names the sender", hasExtension: false),
        Unsent(
            reason: "the service extension of com.example.tv donated no communication with a sender",
            result: AppCallResult()
        ),
        Unsent(
            reason: "the service extension of com.example.tv donated no communication with a sender",
            result: AppCallResult(communication: Communication(sender: CommunicationSender(name: "")))
        ),
        Unsent(
            reason: "the service extension of com.example.tv returned no alert, so nothing names the sender",
            result: AppCallResult(
                payload: .object(["aps": .object([:])]),
                communication: Communication(sender: CommunicationSender(contact: "enrique"))
            )
        ),
        Unsent(reason: "the service extension of com.example.tv took too long, so nothing names the sender"),
    ])
    func missingSenderHasAReason(_ example: Unsent) throws {
        let focus = Focus(name: "Work", allowedPeople: ["enrique"])
        var device = try Self.device(focus, hasExtension: example.hasExtension)
        try device.deliver("n", example.aps)
        if let result = example.result { device.finish(result) } else { device.wait(30_000) }
        let decision = try #require(device.model.decision(on: "n"))
        #expect(decision.presentation == .list)
        #expect(decision.explanation == "the Focus Work silences com.example.tv")
        #expect(NotificationDevice.failure(decision.gates) == [.communication, .focus, .sound])
        #expect(decision.gates.first { $0.gate == .communication }?.explanation == example.reason)
        #expect(device.model.notifications.first?.sender == nil)
    }

    @Test func senderDoesNotMatterToAFocusThatAllowsTheApp() throws {
        var device = try Self.device(Focus(name: "Work", allowedApps: [NotificationDevice.app]))
        try device.deliver("n", Self.mutable)
        device.finish(Self.communication(CommunicationSender(name: "Anna")))
        let decision = try #require(device.model.decision(on: "n"))
        #expect(NotificationDevice.failure(decision.gates).isEmpty)
        let verdict = decision.gates.first { $0.gate == .communication }
        #expect(verdict?.explanation == "the Focus Work allows com.example.tv, for any sender")
    }

    @Test func gateIsThereOnlyIfASenderMatters() throws {
        var device = try Self.device(Focus(name: "Work"))
        try device.deliver("n", #""alert":"A""#)
        #expect(device.model.decision(on: "n")?.gates.contains { $0.gate == .communication } == false)
        device.apply(.setting(.focusSet(nil)))
        try device.deliver("m", Self.mutable)
        device.finish(Self.communication(CommunicationSender(name: "Anna")))
        let verdict = device.model.decision(on: "m")?.gates.first { $0.gate == .communication }
        #expect(verdict?.explanation == "it is from Anna, who is not in Contacts, and no Focus is on")
        #expect(verdict?.status == .pass)
    }

    @Test func communicationDoesNotWaitForTheSummary() throws {
        var device = try Self.device(settings: NotificationSettings(scheduledDeliverySetting: true))
        try device.deliver("n", Self.mutable)
        device.finish(AppCallResult())
        #expect(device.model.decision(on: "n")?.presentation == .summary)
        try device.deliver("m", Self.mutable)
        device.finish(Self.communication(CommunicationSender(name: "Anna")))
        #expect(device.model.decision(on: "m")?.presentation == .immediate)
        try device.deliver("p", Self.mutable + #","interruption-level":"passive""#)
        device.finish(Self.communication(CommunicationSender(name: "Anna")))
        #expect(device.model.decision(on: "p")?.presentation == .list)
    }

    @Test(
        arguments: [
            (Communication(sender: CommunicationSender(name: "Anna"), conversation: "c"), nil, "c"),
            (
                Communication(
                    sender: CommunicationSender(name: "Anna"),
                    conversation: "c",
                    isGroup: true,
                    groupName: "Clowns"
                ), "Clowns", "c"
            ),
            (Communication(sender: CommunicationSender(name: "Anna"), groupName: "Clowns"), nil, nil),
        ] as [(Communication, String?, String?)]
    )
    func conversationIsTheThreadAndAGroupHasItsName(
        _ communication: Communication,
        _ subtitle: String?,
        _ thread: String?
    ) throws {
        var device = try Self.device()
        try device.deliver("n", Self.mutable)
        device.finish(AppCallResult(communication: communication))
        let shown = try #require(device.model.notifications.first)
        #expect((shown.subtitle, shown.threadIdentifier) == (subtitle, thread))
    }

    @Test func changedPayloadHasTheSenderAndKeepsItsThread() throws {
        var device = try Self.device()
        try device.deliver("n", Self.mutable)
        let payload = try NotificationDevice.payload(#""alert":"Decrypted","thread-id":"own""#)
        let communication = Communication(sender: CommunicationSender(contact: "enrique"), conversation: "c")
        device.finish(AppCallResult(payload: payload, communication: communication))
        let shown = try #require(device.model.notifications.first)
        #expect((shown.title, shown.body, shown.threadIdentifier) == ("Enrique Baez", "Decrypted", "own"))
        let verdict = device.model.decision(on: "n")?.gates.first { $0.gate == .serviceExtension }
        #expect(verdict?.explanation == "the service extension of com.example.tv supplied the content")
    }

    @Test func titleWithoutATextIsNotLost() throws {
        var device = try Self.device()
        try device.deliver("n", #""alert":{"title":"Where are you?"},"mutable-content":1"#)
        device.finish(Self.communication(CommunicationSender(contact: "enrique")))
        let shown = try #require(device.model.notifications.first)
        #expect((shown.title, shown.body) == ("Enrique Baez", "Where are you?"))
    }

    @Test func appReceivesNothingFromContacts() throws {
        let app = NotificationDevice.description(state: .foregroundActive, hasExtension: true)
        var device = try NotificationDevice(app: app)
        device.apply(.sharing(.contactChanged(Self.enrique)))
        try device.deliver("n", Self.mutable)
        device.finish(Self.communication(CommunicationSender(contact: "enrique")))
        let payloads = device.model.calls(of: NotificationDevice.app).map(\.notification.payload)
        let original = try NotificationDevice.payload(Self.mutable)
        #expect(payloads == [original])
    }

    @Test func pictureHasTheAvatarOfTheSender() throws {
        var device = try Self.device()
        try device.deliver("n", Self.mutable)
        device.finish(Self.communication(CommunicationSender(handle: "+1 555 0100")))
        let person = Person(handle: "+1 555 0100", contact: Self.enrique)
        let expected: [ShownPerson?] = [
            ShownPerson(name: "Enrique Baez", monogram: Monogram(of: person), color: AvatarColor(of: person))
        ]
        #expect(device.model.banner(of: "n", at: device.now)?.cards.map(\.sender) == expected)
        #expect(device.model.lockScreen(at: device.now).cards.map(\.sender) == expected)
        try device.deliver("m", #""alert":"A""#)
        let plain = try #require(device.model.banner(of: "m", at: device.now)?.cards.first)
        #expect(plain.sender == nil)
    }
}
