public import WaypostSchema

extension AttributionLayout {
    /// Lays out contents in the room that an app has for them.
    ///
    /// The height of a view depends on the size of its text alone, unless it is given one; the width that the contents
    /// may have decides how many names stand in the text. Lengths that are no whole hundredths of a point are rounded
    /// down, so that nothing is wider than was asked for.
    ///
    /// - Parameters:
    ///   - content: what is to be shown.
    ///   - preferences: what the app asks for.
    ///   - preferredContentSizeCategory: the size of text that the person prefers; the app may bound it.
    public init(
        _ content: AttributionContent,
        _ preferences: AttributionPreferences,
        preferredContentSizeCategory: ContentSizeCategory
    ) {
        let bounds = SizeCategoryBounds(preferences)
        let category = bounds.category(preferring: preferredContentSizeCategory)
        let metrics = LayoutMetrics(category)
        let frame = LayoutFrame(preferences: preferences)
        let steps = TruncationSteps(content: content, metrics: metrics)
        let natural = steps.natural
        let row = frame.greatestContentWidth.map { steps.row(within: $0) } ?? natural
        let size = LayoutExtent(
            width: frame.width(around: row?.width ?? .zero),
            height: frame.height(intrinsic: metrics.intrinsicHeight)
        )
        let fit = VerticalFit(size.height, metrics)
        let shown = fit == .nothing ? nil : row
        let placed = shown.map { row in
            PlacedRow(
                row,
                of: content.people,
                metrics,
                x: frame.x(of: row.width),
                y: frame.y(of: metrics.intrinsicHeight)
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
                bounds.finding, row == nil ? frame.widthFinding(metrics) : nil, fit.finding(size.height, metrics),
            ].compactMap(\.self)
        )
    }

    /// Cut edges are worse than missing names: they are told where both are.
    private static func outcome(of shown: ContentRow?, _ fit: VerticalFit) -> AttributionReport.Outcome {
        guard let shown else { return .notDrawn }
        if fit == .clipped { return .clipped }
        return shown.step == .names ? .natural : .truncated
    }
}

extension AttributionPreferences {
    /// The background, where the device chooses for `default`.
    ///
    /// The choice is ours: a view in a summary stands beside pictures of all colours, one with its content stands on the
    /// app's background.
    var backgroundStyleInForce: BackgroundStyle {
        guard backgroundStyle == .default else { return backgroundStyle }
        return displayContext == .summary ? .material : .color
    }
}
