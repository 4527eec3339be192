internal import HashTreeCollections
internal import UniversalLinks
public import WaypostSchema

/// What an app may read (`SWHighlightCenter`).
extension SharedWithYou {
    /// Returns a part of an app's highlights, in order.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - offset: how many to leave out; what is negative counts as 0.
    ///   - limit: how many to return at most; *Show More* asks for more.
    /// - Returns: the part, how things stand, and how many there are in all.
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
            curationGap: isShown ? center.shelf.curationGap : .empty
        )
    }

    /// Returns the highlight that an app has for a URL (`highlight(for:)`).
    ///
    /// - Parameters:
    ///   - url: the URL; one that is about the same content will do.
    ///   - app: the app.
    /// - Returns: the highlight, with the URL as it was sent.
    /// - Throws: `HighlightError`, which does not tell whether there is something that the app may not have.
    public func highlight(for url: String, of app: BundleIdentifier) throws(HighlightError) -> Highlight {
        guard let content = messageStore.content(of: url) else {
            throw HighlightError(.invalidURL, .notAWebURL, "'\(url)' is no http or https URL")
        }
        guard let center = centers[app] else {
            throw HighlightError(.accessDenied, .notInstalled, "the app \(app) is not on the device")
        }
        guard center.app.hasCapability else {
            throw HighlightError(.accessDenied, .noCapability, "\(app) is without the Shared with You capability")
        }
        guard center.isLoaded else {
            let domains = center.app.unaskedDomains(records).joined(separator: ", ")
            throw HighlightError(.internalError, .notLoaded, "the association files are not there yet: \(domains)")
        }
        if let item = center.shelf.items[content.key] { return center.highlight(item) }
        // Asked for as it is: what a short link was resolved to is not for an app to find out.
        guard isOffered(url, to: center.app) else {
            throw HighlightError(.accessDenied, .notAssociated, "\(app) is not associated with '\(url)'")
        }
        guard permission(of: app) == .granted else {
            throw HighlightError(.accessDenied, .sharingIsOff, "the person has turned sharing off")
        }
        throw HighlightError(.accessDenied, .noHighlight, "there is no highlight for '\(url)'")
    }
}

extension HighlightError {
    fileprivate init(_ code: Code, _ reason: Reason, _ message: String) {
        self.init(code: code, reason: reason, message: message)
    }
}
