/// A chart over time, or the sentence that says why there is none.
struct TimeChart {
    /// The way in which several seconds become one point.
    enum Summary: String {
        case largest
        case mean
    }

    /// A line: its name, the class that gives it its color, and how it is read from a second.
    struct Series {
        let name: String
        let style: String
        let read: (LoadSecond) -> Double?
    }

    let id: String
    let title: String
    let unit: ChartUnit
    let summary: Summary
    let series: [Series]

    /// The reason why there is no value at all, if there is none.
    let absence: String

    /// More for the caption.
    var remarks: [String] = []

    /// Returns the chart, or a sentence if it has nothing to show.
    func html(on timeline: Timeline) -> HTML {
        let lines = series.map { series in timeline.points.map { value(of: series, in: $0) } }
        guard let largest = lines.joined().compactMap(\.self).max() else {
            return LineChart.placeholder(id: id, "\(title): no chart, because \(absence).")
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
            label: label(for: lines, on: timeline),
            horizontal: timeline.axis,
            vertical: vertical,
            lines: zip(series, lines).map { series, values in
                LineChart.Line(name: series.name, style: series.style, points: points(values, on: timeline))
            },
            shadedParts: timeline.uncountedParts,
            explainedParts: timeline.columns.map(explanation)
        )
    }

    /// Returns the value of a slot, or `nil` if none of its seconds has one.
    private func value(of series: Series, in slot: Timeline.Slot) -> Double? {
        let values = slot.seconds.compactMap(series.read).filter(\.isFinite)
        return switch summary {
        case .largest: values.max()
        case .mean: values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        }
    }

    private func points(_ values: [Double?], on timeline: Timeline) -> [LineChart.Point?] {
        zip(timeline.points, values).map { slot, value in value.map { LineChart.Point(x: slot.middle, y: $0) } }
    }

    private func label(for lines: [[Double?]], on timeline: Timeline) -> String {
        let ranges = zip(series, lines).compactMap { series, values -> String? in
            let points = zip(timeline.points, values).compactMap { slot, value in value.map { (slot: slot, value: $0) }
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
        if let length = timeline.points.first?.length, length > 1 {
            parts.append("\(summary.rawValue) of each \(FigureText.number(length)) seconds")
        }
        return (parts + remarks).joined(separator: ", ")
    }

    private func explanation(of slot: Timeline.Slot) -> LineChart.Part {
        let prefix = slot.length > 1 ? "\(summary.rawValue) " : ""
        let figures: [HTML] = series.map { series in
            "\n\(prefix)\(series.name): \(value(of: series, in: slot).map(unit.text) ?? "–")"
        }
        return LineChart.Part(start: slot.start, end: slot.end, text: "\(slot.name)\(figures)")
    }
}

extension TimeChart {
    /// Creates a chart of a single line.
    init(
        _ id: String,
        _ title: String,
        unit: ChartUnit,
        summary: Summary,
        absence: String,
        read: @escaping (LoadSecond) -> Double?
    ) {
        let series = Series(name: title, style: "only \(id)", read: read)
        self.init(id: id, title: title, unit: unit, summary: summary, series: [series], absence: absence)
    }
}
