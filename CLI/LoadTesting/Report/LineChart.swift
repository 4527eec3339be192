/// A chart of lines as SVG.
///
/// Positions are shares of the chart's size, so that text keeps its size at every width of the page.
struct LineChart {
    struct Line {
        let name: String

        /// The CSS class that gives the line its color.
        let style: String

        /// The points from left to right; `nil` is a gap.
        let points: [Point?]
    }

    struct Point {
        let x: Double
        let y: Double
    }

    /// A part of the horizontal axis that is shaded, or that has a tooltip.
    struct Band {
        let start: Double
        let end: Double
        let text: HTML
    }

    /// The part of the HTML identifier after `chart-`.
    let id: String
    let title: String

    /// The unit, the scale, and how many values became one point.
    let caption: String

    /// The description for people who cannot see the chart.
    let accessibilityLabel: String
    let horizontalAxis: ChartAxis
    let verticalAxis: ChartAxis
    let lines: [Line]
    var shadedBands: [Band] = []
    var tooltipBands: [Band] = []

    /// The chart with its title, its caption and the names of its lines.
    var html: HTML {
        """
        <figure id="chart-\(id)">
        <figcaption><h3>\(title) <small>\(caption)</small></h3>\(legend)</figcaption>
        <svg class="plot" role="img" aria-label="\(accessibilityLabel)">
        \(shadedBands.map(shade))\(horizontalAxis.ticks.map(verticalGridLine))\
        \(verticalAxis.ticks.map(horizontalGridLine))
        <svg viewBox="0 0 \(Self.width) \(Self.height)" preserveAspectRatio="none">\(lines.map(path))</svg>
        \(tooltipBands.map(tooltip))
        </svg>
        </figure>

        """
    }

    /// Returns the sentence that replaces a chart without data.
    static func placeholder(id: String, _ sentence: String) -> HTML {
        "<p class=\"note\" id=\"chart-\(id)\">\(sentence)</p>\n"
    }

    private var legend: HTML {
        guard lines.count > 1 else { return "" }
        let names: [HTML] = lines.map { "<li><i class=\"key \($0.style)\"></i>\($0.name)</li>" }
        return "<ul class=\"legend\">\(names)</ul>"
    }
}

extension LineChart {
    /// The size in which paths have whole coordinates, fine enough for 600 points on a large screen.
    private static let width = 4_000
    private static let height = 1_000

    private func path(_ line: Line) -> HTML {
        let segments = line.points.split { $0 == nil }.map { $0.compactMap(\.self).map(coordinates) }
        let outline = segments.map { "M" + $0.joined(separator: "L") }.joined()
        // A point between two gaps is a line without a length: only its round ends can be seen.
        let dots = segments.filter { $0.count == 1 }.map { "M\($0[0])h0" }.joined()
        return """
            <path class="line \(line.style)" d="\(outline)"/><path class="line dots \(line.style)" d="\(dots)"/>
            """
    }

    private func coordinates(_ point: Point) -> String {
        let x = Int((horizontalAxis.position(of: point.x) * Double(Self.width)).rounded())
        let y = Int(((1 - verticalAxis.position(of: point.y)) * Double(Self.height)).rounded())
        return "\(x) \(y)"
    }

    private func verticalGridLine(_ tick: ChartAxis.Tick) -> HTML {
        let x = percent(tick.position)
        return """
            <line class="grid" x1="\(x)" x2="\(x)" y2="100%"/><text class="x" x="\(x)" y="100%">\(tick.label)</text>
            """
    }

    private func horizontalGridLine(_ tick: ChartAxis.Tick) -> HTML {
        let y = percent(1 - tick.position)
        return """
            <line class="grid" x2="100%" y1="\(y)" y2="\(y)"/><text class="y" y="\(y)">\(tick.label)</text>
            """
    }

    private func shade(_ band: Band) -> HTML {
        // A name may be wider than its part, so that it must begin or end at the edge of the chart.
        let isFirst = horizontalAxis.position(of: band.start) == 0
        let name: HTML = isFirst ? "x=\"0\"" : "x=\"100%\" text-anchor=\"end\""
        return "<rect class=\"shade\" \(extent(band))/><text class=\"shade\" \(name)>\(band.text)</text>\n"
    }

    private func tooltip(_ band: Band) -> HTML {
        "<rect class=\"part\" \(extent(band))><title>\(band.text)</title></rect>"
    }

    private func extent(_ band: Band) -> HTML {
        let start = horizontalAxis.position(of: band.start)
        let width = horizontalAxis.position(of: band.end) - start
        return "x=\"\(percent(start))\" width=\"\(percent(width))\" height=\"100%\""
    }

    private func percent(_ share: Double) -> String {
        "\((share * 10_000).rounded() / 100)%"
    }
}
