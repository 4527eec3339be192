/// A chart over time, or the sentence that says why there is none.
struct TimeChart {
    /// The way in which several seconds become one point.
    enum Aggregation: String {
        case largest
        case mean
    }

    /// A line: its name, the CSS class that gives it its color, and the value of a second.
    struct Series {
        let name: String
        let style: String
        let read: (LoadSecond) -> Double?
    }

    let id: String
    let title: String
    let unit: ChartUnit
    let aggregation: Aggregation
    let series: [Series]

    /// The reason why there is no chart, if no second has a value.
    let absenceReason: String

    /// More for the caption.
    var remarks: [String] = []

    /// Returns the chart, or a sentence if it has nothing to show.
    func html(on timeline: Timeline) -> HTML {
        let lines = series.map { series in timeline.lineSlots.map { value(of: series, in: $0) } }
        guard let largest = lines.joined().compactMap(\.self).max() else {
            return LineChart.placeholder(id: id, "\(title): no chart, because \(absenceReason).")
        }
        guard largest > 0 else {
            return LineChart.placeholder(id: id, "\(title): 0 in every second.")
        }
        return chart(of: lines, on: timeline).html
    }

    private func chart(of lines: [[Double?]], on timeline: Timeline) -> LineChart {
        let (vertical, isLogarithmic) = unit.axis(for: lines.joined().compactMap(\.self))
        return LineChart(
            id: id,
            title: title,
            caption: caption(isLogarithmic: isLogarithmic, on: timeline),
            accessibilityLabel: label(for: lines, on: timeline),
            horizontalAxis: timeline.axis,
            verticalAxis: vertical,
            lines: zip(series, lines).map { series, values in
                LineChart.Line(name: series.name, style: series.style, points: points(values, on: timeline))
            },
            shadedBands: timeline.uncountedBands,
            tooltipBands: timeline.tooltipSlots.map(tooltip)
        )
    }

    /// Returns the value of a slot, or `nil` if none of its seconds has one.
    private func value(of series: Series, in slot: Timeline.Slot) -> Double? {
        let values = slot.seconds.compactMap(series.read).filter(\.isFinite)
        return switch aggregation {
        case .largest: values.max()
        case .mean: values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        }
    }

    private func points(_ values: [Double?], on timeline: Timeline) -> [LineChart.Point?] {
        zip(timeline.lineSlots, values).map { slot, value in value.map { LineChart.Point(x: slot.middle, y: $0) } }
    }

    private func label(for lines: [[Double?]], on timeline: Timeline) -> String {
        let ranges = zip(series, lines).compactMap { series, values -> String? in
            let points = zip(timeline.lineSlots, values).compactMap { slot, value in
                value.map { (slot: slot, value: $0) }
            }
            guard let minimum = points.map(\.value).min(),
                let maximum = points.max(by: { $0.value < $1.value })
            else { return nil }
            let range = "\(unit.text(minimum)) to \(unit.text(maximum.value))"
            return "\(series.name) from \(range), largest in \(maximum.slot.name)"
        }
        return "\(title) over time (\(unit.name)): \(ranges.joined(separator: "; "))"
    }

    private func caption(isLogarithmic: Bool, on timeline: Timeline) -> String {
        var parts = [unit.name]
        if isLogarithmic {
            parts.append("logarithmic scale")
        }
        if let length = timeline.lineSlots.first?.length, length > 1 {
            parts.append("\(aggregation.rawValue) of each \(FigureText.number(length)) seconds")
        }
        return (parts + remarks).joined(separator: ", ")
    }

    private func tooltip(of slot: Timeline.Slot) -> LineChart.Band {
        let prefix = slot.length > 1 ? "\(aggregation.rawValue) " : ""
        let figures: [HTML] = series.map { series in
            "\n\(prefix)\(series.name): \(value(of: series, in: slot).map(unit.text) ?? "–")"
        }
        return LineChart.Band(start: slot.start, end: slot.end, text: "\(slot.name)\(figures)")
    }
}

extension TimeChart {
    /// Creates a chart of a single line.
    init(
        _ id: String,
        _ title: String,
        unit: ChartUnit,
        aggregation: Aggregation,
        absenceReason: String,
        read: @escaping (LoadSecond) -> Double?
    ) {
        let series = Series(name: title, style: "only \(id)", read: read)
        self.init(
            id: id,
            title: title,
            unit: unit,
            aggregation: aggregation,
            series: [series],
            absenceReason: absenceReason
        )
    }
}
