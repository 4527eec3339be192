import DeviceModel
import Highlights
import Testing
import WaypostSchema
import WaypostTestSupport

/// Replies in the outbox: their recipients, and the time until the gateway accepts them.
struct OutboxTests {
    private static let app: BundleIdentifier = "com.example.tv"
    private static let url = "https://tv.example/shows/lasso"
    private static let file =
        #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.tv"],"components":[{"/":"*"}]}]}}"#

    /// A device on which Enrique's link in the conversation c1 is on the app's shelf, with an attribution view.
    private static func device(from handle: Handle?, _ contacts: [Contact]) throws -> DeviceModel {
        var device = try DeviceModel(
            DeviceDescription(
                name: "Sarah's iPad",
                apps: [
                    AppDescription(
                        bundleIdentifier: app,
                        applicationIdentifier: "ABCDE12345.com.example.tv",
                        associatedDomains: ["applinks:tv.example"],
                        sharedWithYou: true,
                        scenes: [SceneSession(persistentIdentifier: "main", state: .foregroundActive)]
                    )
                ],
                handle: handle,
                contacts: contacts
            )
        )
        let participants: [Handle] = ["+14085550101", "tomasz@clowntown.example"]
        let events: [DeviceEvent] = [
            .system(.associationChecked(domain: "tv.example", source: "", .success(Array(file.utf8)))),
            .sharing(.conversationChanged(Conversation(id: "c1", participants: participants))),
            .sharing(.messageReceived(Message(id: "m1", conversation: "c1", sender: "+14085550101", text: url))),
            .sharing(.linkPinned("m1", url: nil)),
            .attribution(.attributionRequested(app, "view", url: url, AttributionPreferences())),
            .attribution(.attributionTapped(app, "view", nil)),
        ]
        for (index, event) in events.enumerated() {
            let effects = device.apply(event, at: Timestamp(milliseconds: 1_000 + index)).effects
            for case .system(.eventIgnored(let ignored)) in effects { Issue.record("\(ignored)") }
        }
        return device
    }

    private static let reply = Message(id: "r1", conversation: "c1", text: "Watched it")

    private static func recipients(_ device: inout DeviceModel) -> [MessageRecipient] {
        let effects = device.apply(.attribution(.replySent(reply)), at: Timestamp(milliseconds: 5_000)).effects
        for case .attribution(.messageSent(_, let recipients)) in effects { return recipients }
        return []
    }

    @Test(.proves("B25")) func replyGoesToTheDevicesOfTheParticipantsUntilTheGatewayAcceptsIt() throws {
        let enrique = Contact(id: "enrique", handles: ["+14085550101"], tokens: ["00aa", "00bb"])
        let tomasz = Contact(id: "tomasz", handles: ["tomasz@clowntown.example"], tokens: ["00cc"])
        let other = Contact(id: "ava", handles: ["ava@clowntown.example"], tokens: ["00dd"])
        var device = try Self.device(from: "+14085550100", [enrique, tomasz, other])
        let recipients = Self.recipients(&device)
        #expect(recipients.map(\.contact) == ["enrique", "tomasz"])
        #expect(recipients.map(\.tokens) == [["00aa", "00bb"], ["00cc"]])
        let outgoing = try #require(device.outbox.first)
        #expect(outgoing.tokens == ["00aa", "00bb", "00cc"])
        #expect(outgoing.message.sender == "+14085550100")
        #expect(outgoing.message.text == Self.reply.text)
        #expect(outgoing.message.sentAt == Timestamp(milliseconds: 5_000))
        let accepted = device.apply(.attribution(.messageDelivered("r1")), at: Timestamp(milliseconds: 6_000)).effects
        #expect(accepted.isEmpty)
        #expect(device.outbox.isEmpty)
        let again = device.apply(.attribution(.messageDelivered("r1")), at: Timestamp(milliseconds: 6_000)).effects
        #expect(again.ignored == [.unknownMessage])
    }

    @Test func replyDoesNotGoToTheUserWhomTheConversationLists() throws {
        let enrique = Contact(id: "enrique", handles: ["+14085550101"], tokens: ["00aa"])
        let ownCard = Contact(id: "me", handles: ["+14085550100"], tokens: ["00ee"])
        var device = try Self.device(from: "+14085550100", [enrique, ownCard])
        let group = Conversation(id: "c1", participants: ["+1 (408) 555-0100", "+1 (408) 555-0101"])
        _ = device.apply(.sharing(.conversationChanged(group)), at: Timestamp(milliseconds: 2_000))
        let recipients = Self.recipients(&device)
        #expect(recipients.map(\.handle) == ["+1 (408) 555-0101"])
        #expect(device.outbox.map(\.tokens) == [["00aa"]])
    }

    @Test(
        arguments: [
            (
                nil, [Contact(id: "enrique", handles: ["+14085550101"], tokens: ["00aa"])],
                "the device has no 'handle', so the message would have no sender"
            ),
            (
                "+14085550100", [Contact(id: "enrique", handles: ["+14085550101"])],
                "the contact enrique has no 'tokens', so no device of this person is known"
            ),
            (
                "+14085550100", [Contact(id: "enrique", handles: ["+14085550101"])],
                "no contact has tomasz@clowntown.example, so no device of this person is known"
            ),
        ] as [(Handle?, [Contact], String)]
    ) func replyThatReachesNoDeviceSaysWhy(_ handle: Handle?, _ contacts: [Contact], _ explanation: String) throws {
        var device = try Self.device(from: handle, contacts)
        let recipients = Self.recipients(&device)
        #expect(recipients.map(\.explanation).contains(explanation))
        #expect(recipients.flatMap(\.tokens).isEmpty)
        #expect(device.outbox.isEmpty)
    }

    @Test func restoredDeviceDoesNotSendAgain() throws {
        let enrique = Contact(id: "enrique", handles: ["+14085550101"], tokens: ["00aa"])
        var device = try Self.device(from: "+14085550100", [enrique])
        _ = Self.recipients(&device)
        _ = device.apply(.system(.snapshotTaken("sent")), at: Timestamp(milliseconds: 6_000))
        _ = device.apply(.attribution(.messageDelivered("r1")), at: Timestamp(milliseconds: 7_000))
        _ = device.apply(.system(.deviceRestored(snapshot: "sent")), at: Timestamp(milliseconds: 8_000))
        #expect(device.outbox.isEmpty)
    }

    @Test func contactsOfTheDescriptionAreOnTheDevice() throws {
        let enrique = Contact(id: "enrique", handles: ["+14085550101"], tokens: ["00aa"])
        let device = try Self.device(from: "+14085550100", [enrique])
        #expect(device.sharing.contacts == [enrique])
        #expect(device.description.handle == "+14085550100")
        #expect(device.description.contacts == [enrique])
    }
}
