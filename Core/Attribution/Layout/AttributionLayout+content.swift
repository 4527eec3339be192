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
    ///   - layoutDirection: the layout direction of the app's language.
    public init(
        _ content: AttributionContent,
        _ preferences: AttributionPreferences,
        preferredContentSizeCategory: ContentSizeCategory,
        layoutDirection: LayoutDirection = .leftToRight
    ) {
        let bounds = SizeCategoryBounds(preferences)
        let category = bounds.category(preferring: preferredContentSizeCategory)
        let metrics = LayoutMetrics(category)
        let frame = LayoutFrame(preferences: preferences, metrics: metrics)
        let steps = TruncationSteps(content: content, metrics: metrics)
        let naturalRow = steps.naturalRow
        let row = steps.row(within: frame.maximumContentWidth)
        let size = ExactLayoutSize(width: frame.width, height: frame.height)
        let fit = VerticalFit(size.height, metrics)
        let drawnRow = fit == .nothing ? nil : row
        let mirror = LayoutMirror(direction: layoutDirection, width: size.width)
        let placedRow = drawnRow.map { row in
            PlacedRow(
                row,
                of: content.people,
                metrics,
                x: frame.x(forContentWidth: row.width),
                y: frame.y
            )
        }
        self.init(
            outcome: Self.outcome(of: drawnRow, fit),
            truncationStep: drawnRow?.truncationStep ?? .nothing,
            size: size,
            naturalSize: ExactLayoutSize(width: naturalRow.width, height: metrics.intrinsicHeight),
            contentSizeCategory: category,
            backgroundStyle: preferences.effectiveBackgroundStyle,
            background: placedRow.map { mirror.placed($0.background) },
            avatars: placedRow?.avatars.map { mirror.placed($0) } ?? [],
            pin: placedRow?.pin.map { mirror.placed($0) },
            text: placedRow?.text.map { mirror.placed($0) },
            findings: [
                bounds.finding, row == nil ? frame.widthFinding : nil, fit.finding(size.height, metrics),
            ].compactMap(\.self)
        )
    }

    /// Returns the outcome.
    ///
    /// If the edges are cut off and names are missing, it is `clipped`, which is worse.
    private static func outcome(of drawnRow: ContentRow?, _ fit: VerticalFit) -> AttributionReport.Outcome {
        guard let drawnRow else { return .notDrawn }
        if fit == .clipped { return .clipped }
        return drawnRow.truncationStep == .names ? .natural : .truncated
    }
}

extension AttributionPreferences {
    /// The background style, with the device's choice for `default`.
    ///
    /// The choice is Waypost's own: a view in a summary is next to pictures of all colors, while a view with its
    /// content is on the app's background.
    var effectiveBackgroundStyle: BackgroundStyle {
        guard backgroundStyle == .default else { return backgroundStyle }
        return displayContext == .summary ? .material : .color
    }
}
