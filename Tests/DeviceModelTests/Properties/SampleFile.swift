import WaypostSchema

/// An association file that a domain may have, and what it says, told by hand.
enum SampleFile: String, CaseIterable, Sendable {
    /// For both apps: shows but the private ones, and films with an id.
    case shows
    /// For one app everything but what came through an advertisement, for the other films.
    case withoutAds
    /// For both apps what came through an advertisement.
    case adsOnly
    /// For both apps everything.
    case everything
    /// For no app.
    case nothing
    /// No file at all.
    case broken

    func offers(_ link: SampleLink, to app: BundleIdentifier) -> Bool {
        guard app == "com.example.tv" || app == "com.example.news" else { return false }
        switch self {
        case .shows:
            if link.path.hasPrefix("/shows/private/") { return false }
            return link.path.hasPrefix("/shows/") || link.path.hasPrefix("/films/") && link.id != nil
        case .withoutAds: return app == "com.example.tv" ? !link.isAd : link.path.hasPrefix("/films/")
        case .adsOnly: return link.isAd
        case .everything: return true
        case .nothing, .broken: return false
        }
    }

    var text: String {
        let (tv, news) = (#""ABCDE12345.com.example.tv""#, #""ABCDE12345.com.example.news""#)
        return switch self {
        case .shows:
            file(
                #"{"appIDs":[\#(tv),\#(news)],"components":[{"/":"/shows/private/*","exclude":true},{"/":"/shows/*"},"#
                    + #"{"/":"/films/*","?":{"id":"?*"}}]}"#
            )
        case .withoutAds:
            file(
                #"{"appIDs":[\#(tv)],"components":[{"?":{"utm_source":"ads"},"exclude":true},{"/":"*"}]},"#
                    + #"{"appIDs":[\#(news)],"components":[{"/":"/films/*"}]}"#
            )
        case .adsOnly: file(#"{"appIDs":[\#(tv),\#(news)],"components":[{"?":{"utm_source":"ads"}}]}"#)
        case .everything: file(#"{"appIDs":[\#(tv),\#(news)],"components":[{"/":"*"}]}"#)
        case .nothing: file("")
        case .broken: "<html>"
        }
    }

    private func file(_ details: String) -> String {
        #"{"applinks":{"details":[\#(details)]}}"#
    }
}
