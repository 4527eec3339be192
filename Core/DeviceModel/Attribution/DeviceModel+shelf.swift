public import Attribution
internal import Highlights
public import WaypostSchema

extension DeviceModel {
    /// Returns the number of items before Show More on an app's shelf.
    ///
    /// Links that are too old follow after Show More, unless the device shows them before it.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - limit: the maximum number of items before Show More.
    ///   - isExpanded: whether all items are shown although the user did not tap Show More.
    ///   - style: the effect of choosing Show More.
    /// - Returns: the numbers of items that are shown and hidden.
    public func showMore(
        on app: BundleIdentifier,
        after limit: Int,
        isExpanded: Bool = false,
        style: ShowMore.Style = .expandsInPlace
    ) -> ShowMore {
        ShowMore(
            items: sharing.page(of: app, limit: 0).total,
            after: min(limit, sharing.upperCount(of: app)),
            isExpanded: isExpanded || showsAllItems(of: app),
            style: style
        )
    }

    /// Returns the first items of an app's shelf, in order, each with the people who shared it.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - limit: the maximum number of items.
    ///   - language: the language of the text.
    ///   - preview: returns the app's preview for a URL of its list, or `nil` if there is none.
    /// - Returns: the items; none if the app has nothing to show.
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
