import Attribution
import DeviceModel
import Foundation
import FoundationXML
import Testing
import WaypostSchema
import WaypostTestSupport

/// The device shows hostile names on cards and in conversations completely, and apps get nothing of them.
@Suite struct HostileContactTests {
    static let seeds = Trials.seeds(4, from: 3)

    @Test(.proves("B61"), arguments: seeds) func everySharerIsNamedInThePictureAndInItsTitle(seed: UInt64) throws {
        for pictures in SecretRun(.hostile(seed), .anySize(seed)).pictures {
            #expect(pictures.drawings.count == 5)
            for drawing in pictures.drawings {
                let label = drawing.content.label
                #expect(drawing.content.people.count == pictures.people.count)
                for person in pictures.people {
                    let isNamed = person.possibleNames.contains { label.names($0) }
                    #expect(isNamed, "seed \(seed): \(person)")
                }
                let picture = try XMLDocument(data: Data(drawing.svg().utf8))
                let title = picture.rootElement()?.elements(forName: "title").first?.stringValue
                #expect(title?.utf8.elementsEqual(label.utf8) == true, "seed \(seed)")
            }
        }
    }

    @Test(.proves("B64", "B65"), arguments: seeds)
    func appsGetTheSameBytesForHostileAndPlainNames(seed: UInt64) throws {
        for preferences in [.init(), .anySize(seed), .anyAlignment(seed)] as [AttributionPreferences] {
            let hostile = try SecretRun(.hostile(seed), preferences).traffic()
            let plain = try SecretRun(.first, preferences).traffic()
            #expect(plain.count > 5_000)
            // The comparison is outside `#expect`, which would print all of both.
            let isSame = hostile == plain
            #expect(isSame, "seed \(seed)")
        }
    }

    /// A whole run reads too often for names of this length, so this test uses a short run.
    @Test(.proves("B19", "B64"), arguments: seeds) func longNameIsOnTheDeviceButNotInTheBytesForApps(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let name = HostileName.long(&generator)
        let hostile = Self.shortRun(name, .anyAlignment(seed))
        let label = try #require(hostile.model.drawing(of: .first)?.content.label)
        let isNamed = label.names(PlainText.plain(name))
        #expect(isNamed, "seed \(seed)")
        #expect(hostile.appSide.notices.map(\.state) == [.presented, .dismissed])
        #expect(hostile.appSide == Self.shortRun("Ann", .anyAlignment(seed)).appSide)
        #expect(Self.shortRun(name, .init()).appSide == Self.shortRun("Ann", .init()).appSide)
    }

    private static func shortRun(_ name: String, _ preferences: AttributionPreferences) -> SharingDevice {
        let card = Contact(id: "card-1", givenName: name, handles: [.enrique])
        var device = SharingDevice(contacts: [card, .sarah])
        device.shareAutomatically(with: .tv)
        device.converse(.enrique, .sarah, .stranger, name: name)
        device.receive(Link.show, from: .stranger, in: .group)
        device.receive(Link.show, from: .sarah, in: .group)
        device.receive(Link.show, from: .enrique, in: .group)
        device.request(Link.show, in: .tv, as: .first, preferences.withMenu)
        device.choose("later")
        device.tap()
        device.reply(in: .group)
        return device
    }

    @Test func seedsCoverEveryKindOfHostileName() {
        let words = Self.seeds.flatMap { SecretNames.hostile($0).words }
        #expect(words.contains(""))
        #expect(words.contains { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } })
        #expect(words.contains { $0.unicodeScalars.contains { $0.properties.isEmojiPresentation } })
        #expect(words.contains { $0.contains("<script>") })
        #expect(words.contains { !$0.isEmpty && PlainText.plain($0).isEmpty })
    }
}

extension String {
    /// Returns whether the string contains a name in isolates, byte for byte.
    fileprivate func names(_ name: String) -> Bool {
        Data(utf8).range(of: Data(name.isolated.utf8)) != nil
    }
}

extension Person {
    /// The names that the device may show: the visible parts of the card, or else the handle.
    fileprivate var possibleNames: [String] {
        let (given, family) = (contact?.givenName, contact?.familyName)
        let parts = [given, family, contact?.nickname].compactMap(\.self).map(PlainText.plain)
        let named = parts.filter { !$0.isEmpty }
        guard named.isEmpty else {
            return named + [parts.prefix(2).joined(separator: " "), parts.prefix(2).reversed().joined()]
        }
        let plainHandle = PlainText.plain(handle.rawValue)
        return [plainHandle.isEmpty ? Phrase.unknownPerson.text(in: .english) : plainHandle]
    }
}

extension SecretNames {
    /// Returns random names.
    ///
    /// Only identifiers differ from each other for certain.
    fileprivate static func hostile(_ seed: UInt64) -> Self {
        var generator = SeededGenerator(seed: seed)
        func name() -> String { HostileName.any(&generator) }
        func part() -> String? { Bool.random(using: &generator) ? name() : nil }
        let people = (1...2).map { number in
            Contact(
                id: ContactID(rawValue: name() + "~\(number)"),
                givenName: part(),
                familyName: part(),
                nickname: part(),
                language: [nil, "ja", "zh", "ko", name()].randomElement(using: &generator) ?? nil,
                handles: [Handle(rawValue: name() + "~\(number)")]
            )
        }
        return SecretNames(
            people: people,
            strangers: [Handle(rawValue: name())],
            conversations: (1...3).map { ConversationID(rawValue: name() + "~\($0)") },
            groupName: name(),
            messages: name() + "~",
            isCountedDown: Bool.random(using: &generator),
            chatter: SecretNames.first.words.prefix(4).map(\.self)
        )
    }
}

extension AttributionPreferences {
    /// Returns preferences in which the app gives the width of a view.
    fileprivate static func anySize(_ seed: UInt64) -> Self {
        Self(width: [0, 30, 120, 200, 900][Int(seed % 5)], height: [nil, 5, 60][Int(seed % 3)])
    }

    /// Returns preferences in which the app gives the alignment and the maximum width of a view.
    fileprivate static func anyAlignment(_ seed: UInt64) -> Self {
        Self(
            horizontalAlignment: [.leading, .center, .trailing][Int(seed % 3)],
            preferredMaxLayoutWidth: [1, 30, 120, 200, 900][Int(seed % 5)]
        )
    }
}
