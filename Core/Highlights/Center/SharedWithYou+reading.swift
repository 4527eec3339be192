internal import HashTreeCollections
internal import UniversalLinks
public import WaypostSchema

/// The data that an app may read (`SWHighlightCenter`).
extension SharedWithYou {
    /// Returns a page of an app's highlights, in order.
    ///
    ///     let json = #"{"applinks":{"details":[{"appIDs":["ABCDE12345.tv"],"components":[{"/":"/*"}]}]}}"#
    ///     let app = AppDescription(
    ///         bundleIdentifier: "tv",
    ///         applicationIdentifier: "ABCDE12345.tv",
    ///         associatedDomains: ["applinks:tv.example"],
    ///         sharedWithYou: true,
    ///         scenes: []
    ///     )
    ///     let link = Message(id: "1", conversation: "c", sender: "ann@example.com", text: "https://tv.example/lasso")
    ///     var device = try DeviceModel(DeviceDescription(name: "iPad", apps: [app]))
    ///     for event: DeviceEvent in [
    ///         .system(.associationChecked(domain: "tv.example", source: "example", .success(Array(json.utf8)))),
    ///         .sharing(.contactChanged(Contact(id: "ann", handles: ["ann@example.com"]))),
    ///         .sharing(.automaticSharingSet("tv", isOn: true)),
    ///         .sharing(.messageReceived(link)),
    ///     ] {
    ///         _ = device.apply(event, at: Timestamp(milliseconds: 1_790_000_000_000))
    ///     }
    ///     let page = device.sharing.page(of: "tv", limit: 10)
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - offset: the number of highlights to skip; a negative value counts as 0.
    ///   - limit: the maximum number of highlights; *Show More* requests more.
    /// - Returns: the page, the state of the list, and the total number of highlights.
    /// - Complexity: O(limit · log n) for n highlights.
    public func page(of app: BundleIdentifier, from offset: Int = 0, limit: Int) -> HighlightPage {
        let offset = max(0, offset)
        guard let center = centers[app] else {
            return HighlightPage(
                state: .denied,
                highlights: [],
                offset: offset,
                total: 0,
                curated: false,
                curationGap: .empty
            )
        }
        let state = center.state(permission(of: app))
        let isShown = state == .ready
        let keys = isShown ? center.shelf.keys(from: offset, limit: limit) : []
        return HighlightPage(
            state: state,
            highlights: keys.compactMap { center.shelf.items[$0].map(center.highlight) },
            offset: offset,
            total: isShown ? center.shelf.count : 0,
            curated: isShown && center.shelf.curated != nil,
            curationGap: isShown ? center.shelf.curationGap : .empty,
            stale: isShown && upperCount(of: app) < center.shelf.count ? center.shelf.count - upperCount(of: app) : nil
        )
    }

    /// Returns the number of an app's first highlights that may be shown before Show More.
    ///
    /// - Parameter app: the app.
    /// - Returns: the number of highlights that are pinned or younger than `maximumAge`, which precede all others; or
    ///   the number of all highlights if stale ones are not behind Show More.
    /// - Complexity: O(log n) for n highlights.
    public func upperCount(of app: BundleIdentifier) -> Int {
        guard let center = centers[app], center.state(permission(of: app)) == .ready else { return 0 }
        guard isStaleBehindShowMore else { return center.shelf.count }
        return center.shelf.count(sharedAfter: clock.advanced(by: -ranking.maximumAge))
    }

    /// Returns the highlight that an app has for a URL (`highlight(for:)`).
    ///
    /// - Parameters:
    ///   - url: the URL, or another URL with the same content key.
    ///   - app: the app.
    /// - Returns: the highlight, with the URL as it was sent.
    /// - Throws: `HighlightError`, which does not reveal whether there is a highlight that the app may not have.
    public func highlight(for url: String, of app: BundleIdentifier) throws(HighlightError) -> Highlight {
        guard let content = messageStore.content(of: url) else {
            throw HighlightError(.invalidURL, .notAWebURL, message: "'\(url)' is not an http or https URL")
        }
        guard let center = centers[app] else {
            throw HighlightError(.accessDenied, .notInstalled, message: "the app \(app) is not on the device")
        }
        guard center.app.hasCapability else {
            throw HighlightError(
                .accessDenied,
                .noCapability,
                message: "\(app) does not have the Shared with You capability"
            )
        }
        guard center.isLoaded else {
            let domains = center.app.uncheckedDomains(records).joined(separator: ", ")
            throw HighlightError(
                .internalError,
                .notLoaded,
                message: "domains not yet asked for their association files: \(domains)"
            )
        }
        if let item = center.shelf.items[content.key] { return center.highlight(item) }
        // Check the URL without resolving it: an app must not learn the target of a short link.
        guard isOffered(url, to: center.app) else {
            throw HighlightError(.accessDenied, .notAssociated, message: "\(app) is not associated with '\(url)'")
        }
        guard permission(of: app) == .granted else {
            throw HighlightError(.accessDenied, .sharingIsOff, message: "the user has turned sharing off")
        }
        throw HighlightError(.accessDenied, .noHighlight, message: "there is no highlight for '\(url)'")
    }
}

extension HighlightError {
    fileprivate init(_ code: Code, _ reason: Reason, message: String) {
        self.init(code: code, reason: reason, message: message)
    }
}
