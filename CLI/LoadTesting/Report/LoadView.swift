internal import Fleets
internal import Foundation

/// The view of a running load test on a terminal: a few lines that change each second.
package struct LoadView: Sendable {
    /// The maximum number of seconds whose rates are drawn.
    private static let maximumSeconds = 24

    private static let barCharacters = Array("▁▂▃▄▅▆▇█")

    /// The maximum number of reasons of errors that are named.
    private static let maximumReasons = 3

    /// The number of seconds without metrics after which the view says that the gateway does not answer.
    private static let maximumSilence = 3

    private let name: String
    private let durationSeconds: Int
    private let streamCount: Int
    private var seconds: [LoadSecond] = []
    private var reasons: [String: Int] = [:]

    /// Creates the view of a test.
    package init(_ settings: LoadSettings) {
        name = settings.name
        durationSeconds = Int(settings.seconds.rounded(.up))
        streamCount = settings.fleet.credentials
    }

    /// Adds a second.
    package mutating func add(_ second: LoadSecond) {
        seconds.append(second)
        if seconds.count > Self.maximumSeconds { seconds.removeFirst() }
        reasons.merge(second.reasons, uniquingKeysWith: +)
    }

    /// Returns the lines, none of which is longer than `width` characters.
    package func lines(width: Int) -> [String] {
        guard let last = seconds.last else { return [] }
        let rates = [
            row("offered", "\(FigureText.number(Double(last.offered)))/s", bars: bars { Double($0.offered) }),
            row("accepted", "\(FigureText.number(Double(last.accepted)))/s", bars: bars { Double($0.accepted) }),
            row(
                "acknowledged",
                "\(FigureText.number(Double(last.acknowledged)))/s",
                bars: bars { Double($0.acknowledged) }
            ),
        ]
        let latency =
            last.p99.map { "p50 \(Self.text(last.p50 ?? 0)), p99 \(Self.text($0)), max \(Self.text(last.max ?? 0))" }
        // The last, short second often ends before the metrics arrive.
        let gateway = seconds.suffix(Self.maximumSilence).compactMap(\.gateway).last.map { gateway in
            let sync = gateway.sync.map { ", commit \(Self.text($0))" } ?? ""
            return String(format: "%.2f cores, %d MB", gateway.cpu, gateway.memory / 1_000_000) + sync
        }
        let all =
            ["\(name): \(time(last.second))"] + rates + [
                row("delivered in", latency ?? "nothing arrived", bars: bars { $0.p99 }),
                row("backlog", FigureText.number(Double(last.backlog)), bars: bars { Double($0.backlog) }),
                row("connected", "\(last.connected) of \(streamCount)", bars: ""),
                row("gateway", gateway ?? "does not answer", bars: ""),
                row("errors", errors, bars: ""),
            ]
        return all.map { $0.count > width ? $0.prefix(max(0, width - 1)) + "…" : $0 }
    }

    private func time(_ second: Int) -> String {
        if second < 0 { return "warming up, \(-second) s until the measured part" }
        guard second < durationSeconds else { return "waiting for what has not arrived" }
        return "\(second + 1) of \(durationSeconds) s, \(durationSeconds - second - 1) s left"
    }

    private var errors: String {
        guard !reasons.isEmpty else { return "none" }
        let sorted = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let reasonList = sorted.prefix(Self.maximumReasons).map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return "\(reasons.values.reduce(0, +)): \(reasonList)\(sorted.count > Self.maximumReasons ? ", …" : "")"
    }

    private func row(_ name: String, _ value: String, bars: String) -> String {
        let name = name.padding(toLength: 14, withPad: " ", startingAt: 0)
        guard !bars.isEmpty else { return "  \(name)\(value)" }
        return "  \(name)\(value.padding(toLength: max(39, value.count), withPad: " ", startingAt: 0))\(bars)"
    }

    /// The values of the last seconds as bars.
    private func bars(_ value: (LoadSecond) -> Double?) -> String {
        let values = seconds.map(value)
        guard let maximum = values.compactMap(\.self).max(), maximum > 0 else { return "" }
        return String(values.map { $0.map { Self.barCharacters[min(7, Int($0 / maximum * 7.999))] } ?? " " })
    }

    private static func text(_ milliseconds: Double) -> String {
        String(format: milliseconds < 100 ? "%.1f ms" : "%.0f ms", milliseconds)
    }
}
