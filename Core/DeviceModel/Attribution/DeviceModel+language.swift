internal import Attribution
internal import Highlights
public import WaypostSchema

/// The languages of apps.
extension DeviceModel {
    /// Returns the language in which an app runs, as a BCP 47 tag.
    ///
    /// It is the user's language, unless the app has strings in others only; then it is English.
    public func appLanguage(of app: BundleIdentifier) -> String {
        appLanguage(of: app, forUserOf: language)
    }

    /// Returns the language in which an app would run for a user of a language, by the same rule.
    func appLanguage(of app: BundleIdentifier, forUserOf language: String) -> String {
        guard let strings = apps[app]?.localizedStrings, !strings.isEmpty else { return language }
        let parts = language.split(separator: "-")
        let hasLanguage = parts.indices.contains { strings[parts[...$0].joined(separator: "-")] != nil }
        return hasLanguage ? language : "en"
    }

    /// Returns the user's settings for the attribution views of an app.
    ///
    /// The layout direction is that of the app's language.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - options: the options that take the place of settings; a language may also change that of the app.
    /// - Returns: the settings.
    public func attributionTraits(
        of app: BundleIdentifier,
        _ options: PictureOptions = PictureOptions()
    ) -> AttributionTraits {
        var traits = options.applied(to: traits)
        traits.layoutDirection = LayoutDirection(languageTag: appLanguage(of: app, options))
        return traits
    }

    /// Returns the language in which an app runs if the user's language is that of options.
    func appLanguage(of app: BundleIdentifier, _ options: PictureOptions) -> String {
        appLanguage(of: app, forUserOf: options.locale ?? language)
    }

    /// Returns the title of a collection of an app's highlights, in the app's language
    /// (`SWHighlightCenter.highlightCollectionTitle`).
    public func highlightCollectionTitle(for app: BundleIdentifier) -> String {
        Phrase.sharedWithYou.text(in: AttributionLanguage(tag: appLanguage(of: app)))
    }

    /// Returns a page of an app's highlights with the title of the collection, as the app receives it.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - offset: the index of the first highlight.
    ///   - limit: the maximum number of highlights.
    /// - Returns: the page.
    public func highlightPage(of app: BundleIdentifier, from offset: Int = 0, limit: Int) -> HighlightPage {
        var page = sharing.page(of: app, from: offset, limit: limit)
        page.highlightCollectionTitle = highlightCollectionTitle(for: app)
        return page
    }

    /// Returns whether an app shows all items of its shelf, because the user tapped Show More.
    public func showsAllItems(of app: BundleIdentifier) -> Bool {
        expandedShelves.contains(app)
    }

    /// Returns the report on an app's shelf, with the title of the collection.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - offset: the index of the first item.
    ///   - limit: the maximum number of items.
    /// - Returns: the report; `nil` if the app is not installed.
    public func shelfReport(on app: BundleIdentifier, from offset: Int, limit: Int) -> ShelfReport? {
        guard var report = sharing.report(on: app, from: offset, limit: limit) else { return nil }
        report.highlightCollectionTitle = highlightCollectionTitle(for: app)
        report.showsAll = showsAllItems(of: app) ? true : nil
        return report
    }
}
