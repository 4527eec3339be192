import Testing

@testable import GatewayClient

@Suite struct MetricsDigestTests {
    private static let text = #"""
        # HELP waypost_sessions_open Open event streams.
        # TYPE waypost_sessions_open gauge
        waypost_sessions_open 3
        waypost_rejected_total{reason="BadDeviceToken",place="a \"b\" \\ c"} 2
        waypost_commit_seconds_bucket{le="0.001"} 50
        waypost_commit_seconds_bucket{le="0.005"} 98
        waypost_commit_seconds_bucket{le="0.01"} 100
        waypost_commit_seconds_bucket{le="+Inf"} 100
        waypost_commit_seconds_sum 0.2
        waypost_commit_seconds_count 100
        nonsense

        """#

    @Test func valuesHaveTheirLabels() {
        let series = MetricsDigest(Self.text).series
        #expect(series.map(\.name) == ["waypost_sessions_open", "waypost_rejected_total", "waypost_commit_seconds"])
        #expect(series[0] == .init(name: "waypost_sessions_open", labels: [:], value: 3))
        #expect(series[1].labels == ["reason": "BadDeviceToken", "place": #"a "b" \ c"#])
    }

    @Test func histogramHasTheLimitsOfItsShares() {
        let series = MetricsDigest(Self.text).series.last
        #expect(series?.value == 100)
        #expect(series?.p50 == 0.001)
        #expect(series?.p99 == 0.01)
    }

    @Test func observationsBeyondAllLimitsHaveNone() {
        let text = "a_bucket{le=\"1\"} 0\na_bucket{le=\"+Inf\"} 4\na_sum 9\na_count 4\n"
        #expect(MetricsDigest(text).series == [.init(name: "a", labels: [:], value: 4)])
    }
}
