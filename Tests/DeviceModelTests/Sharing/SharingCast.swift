import WaypostSchema

// The people and apps of these tests: the people of the talk, and apps for the content that they recommend.

extension BundleIdentifier {
    static let tv: Self = "com.example.tv"
    static let music: Self = "com.example.music"
}

extension AppDescription {
    static let tv = sharing(.tv, "applinks:tv.example")
    static let music = sharing(.music, "applinks:music.example")

    /// Returns an app that has adopted universal links and Shared with You.
    static func sharing(
        _ app: BundleIdentifier,
        _ domains: String...,
        capability: Bool = true
    ) -> AppDescription {
        AppDescription(
            bundleIdentifier: app,
            applicationIdentifier: ApplicationIdentifier(rawValue: "ABCDE12345.\(app)"),
            associatedDomains: domains,
            sharedWithYou: capability,
            scenes: []
        )
    }
}

extension Handle {
    static let enrique: Self = "+14085550101"
    static let sarah: Self = "sarah@example.com"
    static let stranger: Self = "+14085550199"
}

extension Contact {
    static let enrique = Contact(id: "card-1", givenName: "Enrique", handles: ["+1 (408) 555-0101"])
    static let sarah = Contact(id: "card-2", givenName: "Sarah", handles: [.sarah])
}

extension ConversationID {
    static let enrique: Self = "with-enrique"
    static let sarah: Self = "with-sarah"
    static let stranger: Self = "with-a-stranger"
    static let group: Self = "the-group"
}

/// The links of the tests.
enum Link {
    static let show = "https://tv.example/shows/lasso"
    static let otherShow = "https://tv.example/shows/severance"
    static let thirdShow = "https://tv.example/shows/foundation"
    static let playlist = "https://music.example/playlists/top-25-chicago"
}

extension Timestamp {
    /// The day of the talk.
    static let talk = Timestamp(milliseconds: 1_654_594_800_000)
    static let minute = 60_000
    static let day = 24 * 60 * minute
}

/// The answers of domains.
enum AssociationText {
    /// Returns a file that offers the paths of a pattern to apps.
    static func offering(_ pattern: String, to apps: BundleIdentifier...) -> String {
        let names = apps.map { #""ABCDE12345.\#($0)""# }.joined(separator: ",")
        return #"{"applinks":{"details":[{"appIDs":[\#(names)],"components":[{"/":"\#(pattern)"}]}]}}"#
    }

    /// A file that offers nothing.
    static let revoked = #"{"applinks":{"details":[]}}"#
}
