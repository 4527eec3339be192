package import CoreMetrics

/// A backend of swift-metrics whose values Prometheus reads.
///
/// Counters are counters, meters and plain recorders gauges, timers and aggregating recorders histograms; a timer's values
/// are in seconds. Copies share their values.
package struct PrometheusMetrics: MetricsFactory {
    private let registry = MetricRegistry()

    /// Creates a backend that has counted nothing.
    package init() {}

    /// Says what metrics are, before they are used: what nobody describes has its name as its help, and histograms have
    /// bounds that suit their kind.
    package func describe(_ descriptions: [MetricDescription]) {
        registry.describe(descriptions)
    }

    /// Everything that was counted, in the text format.
    package var text: String {
        registry.text
    }

    /// Makes the handler of a counter.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        registry.series(label, dimensions, .counter) { _ in CounterSeries() }
    }

    /// Makes the handler of a counter that counts fractions.
    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        registry.series(label, dimensions, .counter) { _ in CounterSeries() }
    }

    /// Makes the handler of a gauge.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        registry.series(label, dimensions, .gauge) { _ in GaugeSeries() }
    }

    /// Makes the handler of a histogram, or of a gauge where nothing is aggregated.
    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return registry.series(label, dimensions, .gauge) { _ in GaugeSeries() } }
        return registry.series(label, dimensions, .sizes) { HistogramSeries(bounds: $0.bounds) }
    }

    /// Makes the handler of a histogram of seconds.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        registry.series(label, dimensions, .seconds) { HistogramSeries(bounds: $0.bounds) }
    }

    /// Forgets a counter.
    package func destroyCounter(_ handler: any CounterHandler) {
        registry.remove(handler)
    }

    /// Forgets a counter that counts fractions.
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
        registry.remove(handler)
    }

    /// Forgets a gauge.
    package func destroyMeter(_ handler: any MeterHandler) {
        registry.remove(handler)
    }

    /// Forgets a histogram.
    package func destroyRecorder(_ handler: any RecorderHandler) {
        registry.remove(handler)
    }

    /// Forgets a histogram of seconds.
    package func destroyTimer(_ handler: any TimerHandler) {
        registry.remove(handler)
    }
}
