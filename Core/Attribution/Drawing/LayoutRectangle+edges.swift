extension LayoutRectangle {
    /// The right edge.
    var maxX: Points { x + width }

    /// The lower edge.
    var maxY: Points { y + height }

    /// Where its middle is, from the left.
    var midX: Points { x + width.half }

    /// Where its middle is, from the top.
    var midY: Points { y + height.half }
}
