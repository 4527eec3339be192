import Testing
import WaypostSchema
import WaypostTestSupport

/// The user's permission for sharing outside Messages: per conversation, per app, and for everything.
@Suite struct PermissionTests {
    private static let apps: [BundleIdentifier] = [.tv, .music]
    private static let conversations: [ConversationID] = [.enrique, .sarah, .group]

    /// A device whose apps get every link, with a link for each app in each conversation.
    private var device = SharingDevice()

    init() {
        device.converse(.enrique, .sarah, in: .group)
        device.shareAutomatically(with: .tv, .music)
        receiveLinks("1")
    }

    /// Returns the URL of the link for an app in a conversation.
    private static func url(_ app: BundleIdentifier, _ conversation: ConversationID, _ name: String) -> String {
        app == .tv
            ? "https://tv.example/shows/\(conversation)-\(name)"
            : "https://music.example/playlists/\(conversation)-\(name)"
    }

    /// Receives a link for each app in each conversation.
    private mutating func receiveLinks(_ name: String) {
        for conversation in Self.conversations {
            let urls = Self.apps.map { Self.url($0, conversation, name) }
            let sender = conversation == .sarah ? Handle.sarah : .enrique
            device.receive(urls.joined(separator: " "), from: sender, in: conversation)
        }
    }

    /// Expects that exactly the links of these apps and conversations are outside Messages.
    private func expectLinks(_ names: [String], isShared: (BundleIdentifier, ConversationID) -> Bool) {
        var all: Set<String> = []
        for app in Self.apps {
            let shared = Self.conversations.filter { isShared(app, $0) }
            let expected = Set(shared.flatMap { conversation in names.map { Self.url(app, conversation, $0) } })
            #expect(Set(device.shelf(of: app)) == expected)
            all.formUnion(expected)
        }
        let found = device.found("")
        #expect(Set(found.prefix(all.count)) == all, "the search finds first what the apps have")
        #expect(found.count == Self.apps.count * Self.conversations.count * names.count, "it finds all links")
    }

    /// Every choice of some of `elements`.
    private static func choices<Element>(of elements: [Element]) -> [[Element]] {
        elements.reduce([[]]) { choices, element in choices + choices.map { $0 + [element] } }
    }

    @Test(.proves("B36"), arguments: choices(of: conversations))
    mutating func userDecidesForEachConversation(_ off: [ConversationID]) {
        for conversation in off { device.turnOff(.conversation(conversation)) }
        expectLinks(["1"]) { _, conversation in !off.contains(conversation) }
        receiveLinks("2")
        expectLinks(["1", "2"]) { _, conversation in !off.contains(conversation) }
        for conversation in off { device.turnOn(.conversation(conversation)) }
        expectLinks(["1", "2"]) { _, _ in true }
    }

    @Test(.proves("B37"), arguments: choices(of: apps))
    mutating func userDecidesForEachApp(_ off: [BundleIdentifier]) {
        for app in off { device.turnOff(.app(app)) }
        expectLinks(["1"]) { app, _ in !off.contains(app) }
        receiveLinks("2")
        expectLinks(["1", "2"]) { app, _ in !off.contains(app) }
        for app in Self.apps { #expect(device.page(of: app).state == (off.contains(app) ? .denied : .ready)) }
        for app in off { device.turnOn(.app(app)) }
        expectLinks(["1", "2"]) { _, _ in true }
    }

    @Test(.proves("B38")) mutating func userDecidesForEverythingAtOnce() {
        device.turnOff(.conversation(.group))
        device.turnOff(.everywhere)
        expectLinks(["1"]) { _, _ in false }
        receiveLinks("2")
        expectLinks(["1", "2"]) { _, _ in false }
        // An app that is installed later is included, and a choice for one app or conversation does not override this.
        let guide: BundleIdentifier = "com.example.guide"
        device.apply(.system(.appInstalled(.sharing(guide, "applinks:tv.example"))))
        device.fetch(AssociationText.offering("/shows/*", to: .tv, guide), of: "tv.example")
        device.shareAutomatically(with: guide)
        device.turnOn(.app(.tv))
        device.turnOn(.conversation(.enrique))
        expectLinks(["1", "2"]) { _, _ in false }
        #expect(device.shelf(of: guide).isEmpty)
        device.apply(.system(.appRemoved(guide)))
        device.turnOn(.everywhere)
        expectLinks(["1", "2"]) { _, conversation in conversation != .group }
    }
}
