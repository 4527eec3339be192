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

        var nextX = x + metrics.horizontalPadding
        background = rectangle(x: x, width: row.width, height: height)
        avatars = people.prefix(row.avatarCount).enumerated().map { index, person in
            let x = nextX + metrics.avatarStep * index
            let frame = rectangle(x: x, width: metrics.avatarDiameter, height: metrics.avatarDiameter)
            return PlacedAvatar(frame: frame, person: person)
        }
        nextX += metrics.width(ofAvatars: row.avatarCount) + metrics.gap
        pin = row.hasPin ? rectangle(x: nextX, width: metrics.pinSide, height: metrics.pinSide) : nil
        if row.hasPin { nextX += metrics.pinSide + metrics.gap }
        let scale = metrics.scale
        text = row.text.map { text in
            let width = TextMeasure(size: scale.size).width(of: text)
            let frame = rectangle(x: nextX, width: width, height: metrics.lineHeight)
            return PlacedText(text: text, frame: frame, baseline: frame.y + scale.baseline, size: scale.size)
        }
    }
}
