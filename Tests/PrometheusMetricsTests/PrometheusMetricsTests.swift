import CoreMetrics
import PrometheusMetrics
import Testing
import WaypostTestSupport

@Suite struct PrometheusMetricsTests {
    let metrics = PrometheusMetrics()

    func scrape() throws -> PrometheusText {
        try PrometheusText(metrics.text)
    }

    @Test func handlesOfOneNameAndLabelsShareTheirValue() throws {
        for _ in 0..<3 { Counter(label: "a", dimensions: [("x", "1"), ("y", "2")], factory: metrics).increment() }
        Counter(label: "a", dimensions: [("y", "2"), ("x", "1")], factory: metrics).increment()
        #expect(try scrape().value("a", ["x": "1", "y": "2"]) == 4)
    }

    @Test func counterOnlyGrows() throws {
        let counter = Counter(label: "a", factory: metrics)
        counter.increment(by: 2)
        counter.increment(by: -1)
        FloatingPointCounter(label: "a", factory: metrics).increment(by: 0.5)
        FloatingPointCounter(label: "a", factory: metrics).increment(by: Double.nan)
        #expect(try scrape().value("a") == 2.5)
    }

    @Test func gaugeGoesUpAndDown() throws {
        let meter = Meter(label: "a", factory: metrics)
        meter.set(5)
        meter.increment(by: 1.5)
        meter.decrement(by: 3.0)
        #expect(try scrape().value("a") == 3.5)
        Gauge(label: "a", factory: metrics).record(7)
        #expect(try scrape().value("a") == 7)
    }

    @Test func timerIsAHistogramOfSeconds() throws {
        let timer = Timer(label: "a_seconds", factory: metrics)
        timer.recordMilliseconds(3)
        timer.recordSeconds(20)
        let scrape = try scrape()
        #expect(scrape.families["a_seconds"]?.type == "histogram")
        #expect(scrape.value("a_seconds_bucket", ["le": "0.0025"]) == 0)
        #expect(scrape.value("a_seconds_bucket", ["le": "0.005"]) == 1)
        #expect(scrape.value("a_seconds_bucket", ["le": "10"]) == 1)
        #expect(scrape.value("a_seconds_count") == 2)
        #expect(scrape.value("a_seconds_sum") == 20.003)
    }

    @Test func bucketsCountAllValuesUpToTheirBounds() throws {
        metrics.describe([MetricDescription("a", .histogram(bounds: [1, 2, 4]), help: "a")])
        var generator = SeededGenerator(seed: 8)
        let values = (0..<500).map { _ in Double(Int.random(in: 0...50, using: &generator)) / 10 }
        for value in values { Recorder(label: "a", factory: metrics).record(value) }
        let scrape = try scrape()
        for (bound, text) in [(1.0, "1"), (2, "2"), (4, "4"), (.infinity, "+Inf")] {
            #expect(scrape.value("a_bucket", ["le": text]) == Double(values.count { $0 <= bound }))
        }
    }

    @Test func nameHasOneType() throws {
        Counter(label: "a", factory: metrics).increment()
        Meter(label: "a", factory: metrics).set(7)
        Recorder(label: "a", dimensions: [("x", "1")], factory: metrics).record(7)
        metrics.describe([MetricDescription("a", .gauge, help: "Another.")])
        let scrape = try scrape()
        #expect(scrape.families["a"]?.type == "counter")
        #expect(scrape.value("a") == 1)
    }

    @Test func destroyedHandleRemovesItsSeries() throws {
        let gone = Meter(label: "a", dimensions: [("x", "1")], factory: metrics)
        let stays = Meter(label: "a", dimensions: [("x", "2")], factory: metrics)
        gone.destroy()
        #expect(try scrape().families["a"]?.samples.map(\.labels) == [["x": "2"]])
        stays.destroy()
        #expect(try scrape().families["a"]?.samples.isEmpty == true)
    }

    @Test func backendsAreIndependent() {
        Counter(label: "a", factory: metrics).increment()
        #expect(PrometheusMetrics().text.isEmpty)
    }
}
