/// The charts of what happened in each second, all on one time axis.
struct TimeCharts {
    private let timeline: Timeline

    init(_ result: LoadResult) {
        timeline = Timeline(result)
    }

    /// The charts of the load: rates, latency, backlog, errors and connections.
    var load: HTML {
        let noSecond = "no second was recorded"
        return html([
            TimeChart(
                id: "throughput",
                title: "Throughput",
                unit: .rate,
                aggregation: .mean,
                series: [
                    TimeChart.Series(name: "offered", style: "offered") { Double($0.offered) },
                    TimeChart.Series(name: "accepted", style: "accepted") { Double($0.accepted) },
                    TimeChart.Series(name: "delivered", style: "delivered") { Double($0.delivered) },
                    TimeChart.Series(name: "acknowledged", style: "acknowledged") { Double($0.acknowledged) },
                ],
                absenceReason: noSecond
            ),
            TimeChart(
                id: "latency",
                title: "Latency to the arrival on the device",
                unit: .milliseconds,
                aggregation: .largest,
                series: [
                    TimeChart.Series(name: "max", style: "max", read: \.max),
                    TimeChart.Series(name: "p99", style: "p99", read: \.p99),
                    TimeChart.Series(name: "p50", style: "p50", read: \.p50),
                ],
                absenceReason: "no notification arrived"
            ),
            TimeChart("backlog", "Backlog", unit: .backlog, aggregation: .largest, absenceReason: noSecond) {
                Double($0.backlog)
            },
            TimeChart("errors", "Errors", unit: .rate, aggregation: .largest, absenceReason: noSecond) {
                Double($0.errors)
            },
            TimeChart("connected", "Connections", unit: .devices, aggregation: .mean, absenceReason: noSecond) {
                Double($0.connected)
            },
        ])
    }

    /// The charts of the gateway and of the load generator.
    var programs: HTML {
        let noMetrics = "the gateway could not be asked"
        return html([
            TimeChart("cpu", "Gateway: processor time", unit: .cores, aggregation: .mean, absenceReason: noMetrics) {
                $0.gateway?.cpu
            },
            TimeChart(
                "memory",
                "Gateway: resident memory",
                unit: .megabytes,
                aggregation: .largest,
                absenceReason: noMetrics
            ) {
                $0.gateway.map { Double($0.memory) / 1_000_000 }
            },
            TimeChart(
                "sync",
                "Gateway: mean time of a sync",
                unit: .milliseconds,
                aggregation: .largest,
                absenceReason: "the gateway reported no sync"
            ) {
                $0.gateway?.sync
            },
            queues,
            TimeChart(
                "generator",
                "Load generator: busiest thread",
                unit: .percent,
                aggregation: .largest,
                absenceReason: "it was not measured"
            ) {
                $0.generatorBusy.map { 100 * $0 }
            },
            TimeChart(
                "others",
                "Other programs: share of the machine",
                unit: .percent,
                aggregation: .largest,
                absenceReason: "it was not measured"
            ) {
                $0.othersBusy.map { 100 * $0 }
            },
        ])
    }

    private var queues: TimeChart {
        let lengths = timeline.seconds.compactMap(\.gateway?.queues).reduce(into: [:]) { maximumLengths, queues in
            maximumLengths.merge(queues, uniquingKeysWith: max)
        }
        let shownQueues = lengths.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(5)
        return TimeChart(
            id: "queues",
            title: "Gateway: lengths of queues",
            unit: .entries,
            aggregation: .largest,
            series: shownQueues.enumerated().map { number, queue in
                TimeChart.Series(name: queue.key, style: "queue-\(number + 1)") {
                    ($0.gateway?.queues[queue.key]).map(Double.init)
                }
            },
            absenceReason: "the gateway reported no queue",
            remarks: lengths.count > 5 ? ["the 5 longest of \(lengths.count) queues"] : []
        )
    }

    private func html(_ charts: [TimeChart]) -> HTML {
        "\(charts.map { $0.html(on: timeline) })"
    }
}
