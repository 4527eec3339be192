import WaypostSchema

/// An association file that a domain may have, and its meaning written by hand.
enum SampleFile: String, CaseIterable, Sendable {
    /// Offers both apps the shows that are not private, and films with an ID.
    case shows
    /// Offers the TV app everything but links from advertisements, and the News app the films.
    case withoutAds
    /// Offers both apps the links from advertisements.
    case adsOnly
    /// Offers both apps everything.
    case everything
    /// Offers no app anything.
    case nothing
    /// A file that is not valid.
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
