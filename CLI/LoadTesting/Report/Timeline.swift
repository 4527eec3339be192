/// The seconds of a load test, on the time axis that all its charts share.
struct Timeline {
    /// Consecutive seconds that are one point of a line.
    struct Slot {
        let start: Double
        let length: Double
        var seconds: [LoadSecond] = []

        var middle: Double { start + length / 2 }
        var end: Double { start + length }

        /// The seconds of the slot, for people.
        var name: String {
            let first = FigureText.number(start)
            return length > 1 ? "seconds \(first) to \(FigureText.number(end - 1))" : "second \(first)"
        }
    }

    let seconds: [LoadSecond]
    let axis: ChartAxis

    /// The points of a line: not more than a screen can show.
    let lineSlots: [Slot]

    /// The parts of a chart that have a tooltip: fewer, because each is text.
    let tooltipSlots: [Slot]

    /// The parts that do not count: the warm-up, and what happened after the end.
    let uncountedBands: [LineChart.Band]

    init(_ result: LoadResult) {
        seconds = result.seconds.sorted { $0.second < $1.second }
        let duration = result.run.duration
        // Everything is computed in floating point, in which a very large number in a file cannot overflow.
        let start = Double(seconds.first?.second ?? 0)
        let end = max(Double(seconds.last?.second ?? 0) + 1, duration, start + 1)
        axis = .time(from: start, to: end)
        lineSlots = Self.slots(of: seconds, from: start, to: end, limit: 600)
        tooltipSlots = Self.slots(of: seconds, from: start, to: end, limit: 120)
        uncountedBands = [
            LineChart.Band(start: start, end: 0, text: "warm-up"),
            LineChart.Band(start: duration, end: end, text: "after the end"),
        ].filter { $0.end - $0.start >= 1 }
    }

    private static func slots(of seconds: [LoadSecond], from start: Double, to end: Double, limit: Double) -> [Slot] {
        let length = max(1, ((end - start) / (limit - 1)).rounded(.up))
        // Slots begin at multiples of their length, so that none is half in the warm-up.
        let first = (start / length).rounded(.down)
        let count = max(1, Int((end / length).rounded(.up) - first))
        var slots = (0..<count).map { Slot(start: (first + Double($0)) * length, length: length) }
        for second in seconds {
            let index = Int((Double(second.second) / length).rounded(.down) - first)
            slots[min(index, count - 1)].seconds.append(second)
        }
        return slots
    }
}
