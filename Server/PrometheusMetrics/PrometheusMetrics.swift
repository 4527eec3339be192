package import CoreMetrics

/// A swift-metrics backend whose values Prometheus scrapes.
///
/// Counters become counters. Meters and recorders that do not aggregate become gauges. Timers and aggregating recorders
/// become histograms, timers in seconds. Copies share their values.
package struct PrometheusMetrics: MetricsFactory {
    private let registry = MetricRegistry()

    /// Creates a backend without any metrics.
    package init() {}

    /// Sets the descriptions of metrics, before their first use.
    ///
    /// The help of a metric without a description is its name, and a histogram without one has default bounds of its
    /// kind.
    package func describe(_ descriptions: [MetricDescription]) {
        registry.describe(descriptions)
    }

    /// All metrics in the text format.
    package var text: String {
        registry.text
    }

    /// Creates the handler of a counter.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        registry.series(label, dimensions, kind: .counter) { _ in CounterSeries() }
    }

    /// Creates the handler of a floating-point counter.
    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        registry.series(label, dimensions, kind: .counter) { _ in CounterSeries() }
    }

    /// Creates the handler of a gauge.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        registry.series(label, dimensions, kind: .gauge) { _ in GaugeSeries() }
    }

    /// Creates the handler of a histogram, or of a gauge if `aggregate` is false.
    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return registry.series(label, dimensions, kind: .gauge) { _ in GaugeSeries() } }
        return registry.series(label, dimensions, kind: .counts) { HistogramSeries(bounds: $0.bounds) }
    }

    /// Creates the handler of a histogram of seconds.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        registry.series(label, dimensions, kind: .seconds) { HistogramSeries(bounds: $0.bounds) }
    }

    /// Removes a counter.
    package func destroyCounter(_ handler: any CounterHandler) {
        registry.remove(handler)
    }

    /// Removes a floating-point counter.
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
        registry.remove(handler)
    }

    /// Removes a gauge.
    package func destroyMeter(_ handler: any MeterHandler) {
        registry.remove(handler)
    }

    /// Removes a histogram or a gauge.
    package func destroyRecorder(_ handler: any RecorderHandler) {
        registry.remove(handler)
    }

    /// Removes a histogram of seconds.
    package func destroyTimer(_ handler: any TimerHandler) {
        registry.remove(handler)
    }
}
