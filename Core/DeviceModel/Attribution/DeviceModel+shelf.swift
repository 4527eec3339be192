public import Attribution
internal import Highlights
public import WaypostSchema

extension DeviceModel {
    /// Returns the first items of an app's shelf, in the order of its list, each with who shared it.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - limit: how many items to return at most.
    ///   - language: the language of the words.
    ///   - preview: returns what the app supplies for a URL of its list; `nil` for none.
    /// - Returns: the items; none where the app has nothing to show.
    public func shelf(
        of app: BundleIdentifier,
        limit: Int,
        _ language: AttributionLanguage,
        preview: (String) -> LinkPreview?
    ) -> [ShelfCard] {
        sharing.page(of: app, limit: limit).highlights.compactMap { highlight in
            sharing.sharedLink(highlight.url, of: app).map { link in
                ShelfCard(
                    url: highlight.url,
                    preview: preview(highlight.url),
                    attribution: AttributionContent(link, in: language)
                )
            }
        }
    }
}
