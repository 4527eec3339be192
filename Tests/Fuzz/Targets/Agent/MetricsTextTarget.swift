import GatewayClient

extension FuzzTarget {
    /// The text of metrics.
    static let metrics = FuzzTarget(
        name: "metrics",
        summary: "the metrics of a gateway as a client reads them; a line has at most one value"
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let digest = MetricsDigest(text)
        promise(
            digest.series.count <= text.utf8.count { $0 == UInt8(ascii: "\n") } + 1,
            "a line has at most one value",
            found: digest.series
        )
    }
}
