public import WaypostSchema

extension AttributionLayout {
    /// Lays out content in the space that an app provides.
    ///
    /// The size of the view depends on the app's preferences and the text size alone. The width decides how many names
    /// the text has. Lengths are rounded down to hundredths of a point, so nothing is wider than requested.
    ///
    /// - Parameters:
    ///   - content: the content of the view.
    ///   - preferences: the app's preferences.
    ///   - preferredContentSizeCategory: the user's preferred text size; the app may limit it.
    public init(
        _ content: AttributionContent,
        _ preferences: AttributionPreferences,
        preferredContentSizeCategory: ContentSizeCategory
    ) {
        let bounds = SizeCategoryBounds(preferences)
        let category = bounds.category(preferring: preferredContentSizeCategory)
        let metrics = LayoutMetrics(category)
        let frame = LayoutFrame(preferences: preferences, metrics: metrics)
        let steps = TruncationSteps(content: content, metrics: metrics)
        let natural = steps.natural
        let row = steps.row(within: frame.maximumContentWidth)
        let size = LayoutExtent(width: frame.width, height: frame.height)
        let fit = VerticalFit(size.height, metrics)
        let shown = fit == .nothing ? nil : row
        let placed = shown.map { row in
            PlacedRow(
                row,
                of: content.people,
                metrics,
                x: frame.x(of: row.width),
                y: frame.y
            )
        }
        self.init(
            outcome: Self.outcome(of: shown, fit),
            step: shown?.step ?? .nothing,
            size: size,
            naturalSize: LayoutExtent(width: natural.width, height: metrics.intrinsicHeight),
            contentSizeCategory: category,
            backgroundStyle: preferences.backgroundStyleInForce,
            background: placed?.background,
            avatars: placed?.avatars ?? [],
            pin: placed?.pin,
            text: placed?.text,
            findings: [
                bounds.finding, row == nil ? frame.widthFinding : nil, fit.finding(size.height, metrics),
            ].compactMap(\.self)
        )
    }

    /// Returns the outcome; if edges are cut off and names are missing, the cut edges count, because they are worse.
    private static func outcome(of shown: ContentRow?, _ fit: VerticalFit) -> AttributionReport.Outcome {
        guard let shown else { return .notDrawn }
        if fit == .clipped { return .clipped }
        return shown.step == .names ? .natural : .truncated
    }
}

extension AttributionPreferences {
    /// The background style, with the device's choice for `default`.
    ///
    /// The choice is Waypost's own: a view in a summary is next to pictures of all colors, while a view with its
    /// content is on the app's background.
    var backgroundStyleInForce: BackgroundStyle {
        guard backgroundStyle == .default else { return backgroundStyle }
        return displayContext == .summary ? .material : .color
    }
}
