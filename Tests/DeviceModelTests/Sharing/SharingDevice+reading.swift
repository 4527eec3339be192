import DeviceModel
import Highlights
import WaypostSchema

extension SharingDevice {
    /// Returns the URLs of an app's highlights, in order.
    func shelf(of app: BundleIdentifier = .tv) -> [String] {
        page(of: app).highlights.map(\.url)
    }

    func page(of app: BundleIdentifier = .tv, from offset: Int = 0, limit: Int = 1_000) -> HighlightPage {
        model.sharing.page(of: app, from: offset, limit: limit)
    }

    /// The time in milliseconds at which time alone changes something next.
    var deadline: Int? {
        model.sharing.nextDeadline?.rawValue
    }

    /// Returns the items of an app's list, as the user may see them.
    func items(of app: BundleIdentifier = .tv) -> [RankedHighlight] {
        report(on: app)?.items ?? []
    }

    /// Returns the item of a link in an app's list.
    func item(_ url: String, in app: BundleIdentifier = .tv) -> RankedHighlight? {
        let id = highlight(for: url, of: app)?.id
        return items(of: app).first { $0.highlight.id == id }
    }

    func explanation(of url: String, for app: BundleIdentifier = .tv) -> LinkExplanation {
        model.sharing.explanation(of: url, for: app)
    }

    /// Returns the verdict of one gate on a link.
    func verdict(at gate: SurfacingGate, on url: String, for app: BundleIdentifier = .tv) -> GateVerdict? {
        explanation(of: url, for: app).gates.first { $0.gate == gate }
    }

    /// Returns the terms of a link's score.
    func points(of url: String, in app: BundleIdentifier = .tv) -> [ScoreTerm.Signal: Int] {
        let terms = item(url, in: app)?.rank.terms ?? []
        return Dictionary(terms.map { ($0.signal, $0.points) }) { first, _ in first }
    }

    /// Returns the links that a search finds.
    func search(_ query: String, limit: Int = 1_000) -> [FoundLink] {
        model.sharing.search(query, limit: limit)
    }

    /// Returns the URLs that a search finds.
    func found(_ query: String, limit: Int = 1_000) -> [String] {
        search(query, limit: limit).map(\.url)
    }

    /// Returns a page of an app's list, as the user may see it.
    func report(on app: BundleIdentifier = .tv, from offset: Int = 0, limit: Int = 1_000) -> ShelfReport? {
        model.sharing.report(on: app, from: offset, limit: limit)
    }

    /// Returns the highlight that an app gets for a URL.
    func highlight(for url: String, of app: BundleIdentifier = .tv) -> Highlight? {
        try? model.sharing.highlight(for: url, of: app)
    }

    /// Returns the error that an app gets for a URL.
    func error(for url: String, of app: BundleIdentifier = .tv) -> HighlightError? {
        do throws(HighlightError) {
            _ = try model.sharing.highlight(for: url, of: app)
            return nil
        } catch {
            return error
        }
    }
}
