internal import WaypostSchema

/// The row of a view's avatars, pin and text.
struct ContentRow {
    let step: AttributionReport.Step
    let avatars: Int
    let hasPin: Bool
    let text: String?

    /// The total width, including the background's horizontal padding.
    let width: Points
}

extension ContentRow {
    /// Creates a row and measures it.
    init(_ step: AttributionReport.Step, avatars: Int, hasPin: Bool, text: String?, _ metrics: LayoutMetrics) {
        let measure = TextMeasure(size: metrics.scale.size)
        var width = metrics.horizontalPadding * 2 + metrics.width(ofAvatars: avatars)
        if hasPin { width += metrics.gap + metrics.pin }
        if let text { width += metrics.gap + measure.width(of: text) }
        self.init(step: step, avatars: avatars, hasPin: hasPin, text: text, width: width)
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
        func rectangle(x: Points, width: Points, height part: Points) -> LayoutRectangle {
            LayoutRectangle(x: x, y: y + (height - part).half, width: width, height: part)
        }

        var next = x + metrics.horizontalPadding
        background = rectangle(x: x, width: row.width, height: height)
        avatars = people.prefix(row.avatars).enumerated().map { place, person in
            let x = next + metrics.avatarStep * place
            return PlacedAvatar(frame: rectangle(x: x, width: metrics.avatar, height: metrics.avatar), person: person)
        }
        next += metrics.width(ofAvatars: row.avatars) + metrics.gap
        pin = row.hasPin ? rectangle(x: next, width: metrics.pin, height: metrics.pin) : nil
        if row.hasPin { next += metrics.pin + metrics.gap }
        let scale = metrics.scale
        text = row.text.map { text in
            let width = TextMeasure(size: scale.size).width(of: text)
            let frame = rectangle(x: next, width: width, height: metrics.lineHeight)
            return PlacedText(text: text, frame: frame, baseline: frame.y + scale.baseline, size: scale.size)
        }
    }
}
