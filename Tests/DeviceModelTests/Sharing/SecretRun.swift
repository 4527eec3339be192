import Foundation
import WaypostSchema

/// A fixed sequence of events with any names, and all values that apps read and receive in it.
struct SecretRun {
    let names: SecretNames
    var device = SharingDevice(contacts: [])
    private var pages: [HighlightPage] = []
    private var errors: [HighlightError] = []
    private var views: [AttributionView] = []
    private var messages = 0

    /// The pictures that the device drew before and after people changed their names.
    private(set) var pictures: [SecretPictures] = []

    /// The app's preferences for its attribution views.
    private let preferences: AttributionPreferences

    /// Runs with views of a width, or `nil` for the standard width.
    init(_ names: SecretNames, width: Double? = 200) {
        self.init(names, AttributionPreferences(width: width))
    }

    /// Runs with views with `preferences` and a menu of the app.
    init(_ names: SecretNames, _ preferences: AttributionPreferences) {
        self.names = names
        self.preferences = preferences.withMenu
        meet()
        for round in 0..<6 { share(round) }
        shareOnceMore()
        pictures.append(draw(of: names.people))
        for conversation in names.conversations { talk(in: conversation) }
        for person in names.renamed { device.apply(.sharing(.contactChanged(person))) }
        pictures.append(draw(of: names.renamed))
        lookElsewhere()
        choose()
    }

    /// Returns all values for apps, in the order in which they cross.
    func traffic() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(device.appSide) + encoder.encode(pages) + encoder.encode(errors)
            + encoder.encode(views)
    }

    private mutating func meet() {
        for person in names.people { device.apply(.sharing(.contactChanged(person))) }
        let handles = names.people.flatMap(\.handles) + names.strangers
        let group = Conversation(id: names.conversations[2], name: names.groupName, participants: handles)
        device.apply(.sharing(.conversationChanged(group)))
        device.shareAutomatically(with: .tv)
        read()
    }

    /// Everybody sends links, also to the group, and also the same links.
    private mutating func share(_ round: Int) {
        let senders = [names.people[0].handles[0], names.people[1].handles[0], names.strangers[0]]
        for (place, sender) in senders.enumerated() {
            let url = "https://tv.example/shows/\(round)?ref=\(place)"
            let other = "https://tv.example/shows/\((round + place) % 4)?utm_source=\(place)"
            send(url, from: sender, in: names.conversations[place])
            send(other, from: sender, in: names.conversations[2])
            send(Link.playlist, from: place == 0 ? nil : sender, in: names.conversations[place % 2])
        }
        shareAtOnce(senders, at: device.now)
        request()
        device.advance(minutes: 30)
        read()
    }

    /// Everybody sends one link in the same millisecond, each in another spelling and another conversation.
    private mutating func shareAtOnce(_ senders: [Handle], at now: Timestamp) {
        for (place, sender) in senders.enumerated() {
            let url = "https://tv.example/shows/premiere?utm_source=\((place + 1) % 3)"
            send(url, from: sender, in: names.conversations[place], sentAt: now)
        }
    }

    /// Everybody sends every link once more, the contacts alone and a stranger to the group, so that its attribution
    /// shows all of them.
    private mutating func shareOnceMore() {
        let senders = [names.people[0].handles[0], names.people[1].handles[0], names.strangers[0]]
        for show in 0..<4 {
            for (place, sender) in senders.enumerated() {
                send("https://tv.example/shows/\(show)", from: sender, in: names.conversations[place])
            }
        }
    }

    private mutating func send(
        _ url: String,
        from sender: Handle?,
        in conversation: ConversationID,
        sentAt: Timestamp? = nil
    ) {
        messages += 1
        let (text, id) = (names.text(messages, url), names.message(messages))
        device.receive(text, from: sender, in: conversation, as: id, sentAt: sentAt)
        read()
    }

    /// The app requests views of links that it has and of links that it does not have.
    private mutating func request() {
        for show in ["0", "1", "2", "3", "premiere", "edited"] {
            let view = AttributionViewID(rawValue: "view of \(show)")
            device.request("https://tv.example/shows/\(show)", as: view, preferences)
            device.attach(view)
        }
        read()
    }

    /// The user goes from a view to a conversation, replies there, and returns.
    private mutating func talk(in conversation: ConversationID) {
        device.tap("view of premiere")
        device.talk(in: conversation)
        messages += 1
        let text = names.text(messages, "https://tv.example/shows/own")
        device.reply(text, in: conversation, as: names.message(messages))
        device.choose("later", of: "view of premiere")
        device.choose("reply", of: "view of 1")
        device.choose("absent", of: "view of 1")
        device.dismiss()
        read()
    }

    /// The user dismisses a conversation or goes elsewhere, and the app sends events that are ignored.
    private mutating func lookElsewhere() {
        device.tap("view of 0")
        device.tap("view of premiere")
        device.tap("view of 3", in: "no-scene")
        device.tap("never-was")
        device.talk(in: names.conversations[0])
        device.dismiss()
        device.choose("remove", of: "view of 1")
        device.tap("view of 1")
        device.set(language: "ja", .extraLarge)
        device.set()
        device.detach("view of 3")
        device.release("view of 3")
        device.tap("view of premiere")
        read()
    }

    private mutating func choose() {
        for number in [3, 9, 14] { device.pin(names.message(number)) }
        device.edit(names.message(1), to: names.text(2, "https://tv.example/shows/edited"))
        device.delete(names.message(2))
        device.apply(.attribution(.attributionAttached(.tv, "view", url: "https://tv.example/shows/3", .detail)))
        device.apply(.attribution(.attributionDetached(.tv, "view")))
        device.apply(.sharing(.linkRemoved(url: "https://tv.example/shows/2")))
        device.turnOff(.conversation(names.conversations[1]))
        read()
        device.apply(.sharing(.contactRemoved(names.people[0].id)))
        device.apply(.sharing(.conversationDeleted(names.conversations[2])))
        read()
    }

    private mutating func read() {
        for show in ["0", "1", "2", "3", "premiere", "edited"] {
            let view = AttributionViewID(rawValue: "view of \(show)")
            views += [device.view(view, of: .tv), device.view(view, of: .music)].compactMap(\.self)
        }
        for app in [BundleIdentifier.tv, .music] {
            pages.append(device.page(of: app))
            errors += ["https://tv.example/shows/2", Link.playlist, "x"].compactMap { device.error(for: $0, of: app) }
        }
    }
}
