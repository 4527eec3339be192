internal import WaypostSchema

/// The row of a view's avatars, pin and text.
struct ContentRow {
    let step: AttributionReport.Step
    let avatarCount: Int
    let hasPin: Bool
    let text: String?

    /// The total width, including the background's horizontal padding.
    let width: Points
}

extension ContentRow {
    /// Creates a row and measures it.
    init(_ step: AttributionReport.Step, avatarCount: Int, hasPin: Bool, text: String?, _ metrics: LayoutMetrics) {
        let measure = TextMeasure(size: metrics.scale.size)
        var width = metrics.horizontalPadding * 2 + metrics.width(ofAvatars: avatarCount)
        if hasPin { width += metrics.gap + metrics.pinSide }
        if let text { width += metrics.gap + measure.width(of: text) }
        self.init(step: step, avatarCount: avatarCount, hasPin: hasPin, text: text, width: width)
    }
}

/// The parts of a row at their positions, from left to right.
struct PlacedRow {
    let background: LayoutRectangle
    let avatars: [PlacedAvatar]
    let pin: LayoutRectangle?
    let text: PlacedText?

    /// Places the parts of `row`, vertically centered, with the row's top left corner at `x` and `y`.
    init(_ row: ContentRow, of people: [ShownPerson], _ metrics: LayoutMetrics, x: Points, y: Points) {
        let height = metrics.intrinsicHeight
        func rectangle(x: Points, width: Points, height partHeight: Points) -> LayoutRectangle {
            LayoutRectangle(x: x, y: y + (height - partHeight).half, width: width, height: partHeight)
        }

        var next = x + metrics.horizontalPadding
        background = rectangle(x: x, width: row.width, height: height)
        avatars = people.prefix(row.avatarCount).enumerated().map { index, person in
            let x = next + metrics.avatarStep * index
            let frame = rectangle(x: x, width: metrics.avatarDiameter, height: metrics.avatarDiameter)
            return PlacedAvatar(frame: frame, person: person)
        }
        next += metrics.width(ofAvatars: row.avatarCount) + metrics.gap
        pin = row.hasPin ? rectangle(x: next, width: metrics.pinSide, height: metrics.pinSide) : nil
        if row.hasPin { next += metrics.pinSide + metrics.gap }
        let scale = metrics.scale
        text = row.text.map { text in
            let width = TextMeasure(size: scale.size).width(of: text)
            let frame = rectangle(x: next, width: width, height: metrics.lineHeight)
            return PlacedText(text: text, frame: frame, baseline: frame.y + scale.baseline, size: scale.size)
        }
    }
}
