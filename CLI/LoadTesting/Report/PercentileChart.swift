internal import Fleets

/// The chart of latency by percentile, in which the rarest latencies have as much room as the others.
struct PercentileChart {
    private let distributions: [Distribution]

    init(_ result: LoadResult) {
        distributions = [
            Distribution("accepted", result.accepted),
            Distribution("delivered", result.delivered),
            Distribution("acknowledged", result.acknowledged),
        ].filter { !$0.steps.isEmpty }
    }

    /// The chart, or a sentence if there is no latency.
    var html: HTML {
        guard let count = distributions.map(\.count).max() else {
            let sentence = "Latency by percentile: no chart, because no notification was accepted."
            return LineChart.placeholder(id: "percentiles", sentence)
        }
        return chart(on: .percentiles(of: count)).html
    }

    private func chart(on horizontal: ChartAxis) -> LineChart {
        let lines = distributions.map { $0.line(on: horizontal) }
        let values = lines.flatMap(\.points).compactMap { $0?.y }
        let (vertical, isLogarithmic) = ChartUnit.milliseconds.axis(for: values)
        return LineChart(
            id: "percentiles",
            title: "Latency by percentile",
            caption: isLogarithmic ? "ms, logarithmic scale" : "ms",
            accessibilityLabel: label,
            horizontalAxis: horizontal,
            verticalAxis: vertical,
            lines: lines
        )
    }

    private var label: String {
        let figures = distributions.map { distribution in
            let summary = distribution.summary
            let texts = [summary.p50, summary.p99, summary.max].map(FigureText.milliseconds)
            return "\(distribution.name) p50 \(texts[0]), p99 \(texts[1]), max \(texts[2])"
        }
        return "Latency by percentile from the intended start: \(figures.joined(separator: "; "))"
    }
}

/// A histogram as steps: each value with the part of all values that is not larger.
private struct Distribution {
    struct Step {
        /// The value, in milliseconds.
        let value: Double

        /// 1/(1 − the share of the values before this one), and the same with this one.
        let start: Double
        let end: Double
    }

    let name: String
    let summary: LatencySummary
    let count: Double
    let steps: [Step]

    init(_ name: String, _ summary: LatencySummary) {
        self.name = name
        self.summary = summary
        let pairs = summary.histogram.filter { $0.count == 2 && $0[1] > 0 }.map { (Double($0[0]), Double($0[1])) }
        let count = pairs.reduce(0) { $0 + $1.1 }
        var remaining = count
        steps = pairs.map { value, valueCount in
            let start = count / remaining
            remaining -= valueCount
            // After the largest value nothing remains: its step ends at the edge of the chart.
            return Step(value: value / 1_000, start: start, end: count / max(remaining, 1))
        }
        self.count = count
    }

    /// Returns the steps as a line.
    ///
    /// Of the steps in the same column of pixels, only the last one shows, which is the largest.
    func line(on axis: ChartAxis) -> LineChart.Line {
        let shownIndices = steps.indices.filter { index in
            index + 1 == steps.count || column(of: steps[index], on: axis) != column(of: steps[index + 1], on: axis)
        }
        let points = shownIndices.enumerated().flatMap { number, index in
            let start = number == 0 ? 1 : steps[shownIndices[number - 1]].end
            return [start, steps[index].end].map { LineChart.Point(x: $0, y: steps[index].value) }
        }
        return LineChart.Line(name: name, style: name, points: points)
    }

    private func column(of step: Step, on axis: ChartAxis) -> Int {
        Int(axis.position(of: step.end) * 600)
    }
}
