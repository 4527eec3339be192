/// The unit of the vertical axis of a chart.
enum ChartUnit: String {
    case rate = "notifications per second"
    case backlog = "accepted, not yet acknowledged"
    case devices = "connected devices"
    case entries
    case milliseconds = "ms"
    case cores
    case megabytes = "MB"
    case percent = "busy, in percent"

    var name: String { rawValue }

    private var suffix: String {
        switch self {
        case .rate: "/s"
        case .milliseconds: " ms"
        case .megabytes: " MB"
        case .percent: "%"
        case .cores: " cores"
        case .backlog, .devices, .entries: ""
        }
    }

    /// Returns a value with its unit.
    func text(_ value: Double) -> String {
        FigureText.number(value) + suffix
    }

    /// Returns an axis with room for `values`, and whether it is logarithmic.
    func axis(for values: [Double]) -> (axis: ChartAxis, isLogarithmic: Bool) {
        let label = { FigureText.roundNumber($0) + suffix }
        guard self != .milliseconds else { return ChartAxis.latencies(values, label: label) }
        let usesWholeNumbers = [.rate, .backlog, .devices, .entries].contains(self)
        return (.fromZero(to: values.max() ?? 0, wholeNumbers: usesWholeNumbers, label: label), false)
    }
}
