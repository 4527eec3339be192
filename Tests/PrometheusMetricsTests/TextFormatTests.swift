import CoreMetrics
import PrometheusMetrics
import Testing
import WaypostTestSupport

@Suite struct TextFormatTests {
    @Test func metricsAreWrittenSortedWithHelpAndType() {
        let metrics = PrometheusMetrics()
        metrics.describe([
            MetricDescription("b_total", .counter, help: "Bees."),
            MetricDescription("a", .histogram(bounds: [0.1, 1]), help: "Ants."),
        ])
        Counter(label: "b_total", dimensions: [("z", "2"), ("k", "1")], factory: metrics).increment(by: 3)
        Counter(label: "b_total", dimensions: [("k", "0")], factory: metrics).increment()
        Recorder(label: "a", factory: metrics).record(0.1)
        Recorder(label: "a", factory: metrics).record(2.5)
        Meter(label: "c", factory: metrics).set(-0.5)
        #expect(
            metrics.text == """
                # HELP a Ants.
                # TYPE a histogram
                a_bucket{le="0.1"} 1
                a_bucket{le="1"} 1
                a_bucket{le="+Inf"} 2
                a_sum 2.6
                a_count 2
                # HELP b_total Bees.
                # TYPE b_total counter
                b_total{k="0"} 1
                b_total{k="1",z="2"} 3
                # HELP c c
                # TYPE c gauge
                c -0.5

                """
        )
    }

    @Test func unusedMetricIsDescribed() {
        let metrics = PrometheusMetrics()
        metrics.describe([MetricDescription("a_total", .counter, help: "Ants.")])
        #expect(metrics.text == "# HELP a_total Ants.\n# TYPE a_total counter\n")
    }

    @Test(arguments: [#"back\slash"#, "two\nlines", "CR LF\r\nhere", #""quoted""#, #"\n"#, "}, x=\"", "ünï ✓", ""])
    func everyTextSurvivesAScrape(_ value: String) throws {
        let metrics = PrometheusMetrics()
        metrics.describe([MetricDescription("a_total", .counter, help: value)])
        Counter(label: "a_total", dimensions: [("k", value)], factory: metrics).increment()
        let scrape = try PrometheusText(metrics.text)
        #expect(scrape.value("a_total", ["k": value]) == 1)
        #expect(scrape.families["a_total"]?.help == value)
    }

    @Test(arguments: [
        ("http.server.requests", "http_server_requests"), ("1st", "_1st"), ("", "_"), ("größe", "gr__e"),
        ("a:b", "a:b"),
    ])
    func everyNameBecomesAValidOne(_ label: String, name: String) throws {
        let metrics = PrometheusMetrics()
        Counter(label: label, dimensions: [("a:\(label)", "1")], factory: metrics).increment()
        #expect(try PrometheusText(metrics.text).names == [name])
    }

    @Test func histogramKeepsItsOwnLabel() throws {
        let metrics = PrometheusMetrics()
        Recorder(label: "a", dimensions: [("le", "7")], factory: metrics).record(1)
        #expect(try PrometheusText(metrics.text).value("a_count", ["le_": "7"]) == 1)
    }

    @Test(arguments: [0.1, 1e-7, 123_456_789.25, 1e21, -4, .infinity, -.infinity])
    func everyNumberSurvivesAScrape(_ number: Double) throws {
        let metrics = PrometheusMetrics()
        Meter(label: "a", factory: metrics).set(number)
        #expect(try PrometheusText(metrics.text).value("a") == number)
    }

    @Test(arguments: [
        "a 1", "# HELP a x\na 1\n", "# HELP a x\n# TYPE a counter\na -1\n", "# HELP a x\n# TYPE a counter\na 1\na 2\n",
        "# HELP a x\n# TYPE a counter\nb 1\n", "# HELP a x\n# TYPE a counter\na{k=\"\\x\"} 1\n",
        "# HELP a x\n# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 2\n",
        "# HELP a x\n# TYPE a gauge\na{k=\"1\"k=\"2\"} 1\n", "# HELP a x\n# TYPE a gauge\na 1.\n",
    ])
    func parserOfTheTestsIsStrict(_ text: String) {
        #expect(throws: PrometheusText.ParseError.self) { try PrometheusText(text) }
    }
}
