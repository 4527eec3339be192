/// The comparisons of gateways on PostgreSQL with one on SQLite, and of streams at another gateway with those at the same
/// one.
final class Cluster {
    private let workspace: Workspace
    private let options: Options

    /// Items a second: a rate that the slowest subject reaches easily.
    private static let paceOfLatency = 500.0

    init(workspace: Workspace, options: Options) {
        (self.workspace, self.options) = (workspace, options)
    }

    func all() -> [Comparison] {
        [1, 3].map { throughput(gateways: $0) } + [latency()]
    }

    private func throughput(gateways count: Int) -> Comparison {
        let items = options.items(20_000)
        return Comparison(
            "PostgreSQL, \(count) \(count == 1 ? "gateway" : "gateways"), to acknowledged, 100 devices",
            [Quantity(unit: .perSecond)],
            [
                Subject("Waypost on PostgreSQL") { [self] in
                    try withGateways(count) { gateways in
                        let devices = try gateways[0].register(100)
                        let delivery = try GatewayDelivery(gateways, devices, options.acknowledgements)
                        return Sample(try delivery.run(items: items), items: items)
                    }
                },
                Subject("Waypost on SQLite") { [self] in
                    let gateway = try GatewayServer(workspace)
                    defer { gateway.stop() }
                    let devices = try gateway.register(100)
                    let delivery = try GatewayDelivery(gateway, devices, options.acknowledgements)
                    return Sample(try delivery.run(items: items), items: items)
                },
            ]
        )
    }

    /// The latency of items that one gateway accepts and another one delivers.
    private func latency() -> Comparison {
        Comparison(
            "PostgreSQL, latency to the stream at another gateway, 500/s, 100 devices",
            [Quantity(name: "p50", unit: .milliseconds), Quantity(name: "p99", unit: .milliseconds)],
            [
                Subject("another gateway") { [self] in try latency(from: 0, to: 1) },
                Subject("the same gateway") { [self] in try latency(from: 0, to: 0) },
            ]
        )
    }

    private func latency(from sender: Int, to receiver: Int) throws -> Sample {
        try withGateways(2) { gateways in
            let devices = try gateways[0].register(100)
            let delivery = try GatewayDelivery(
                [gateways[sender]],
                receivers: [gateways[receiver]],
                devices,
                options.acknowledgements
            )
            let pace = Pace(rate: Self.paceOfLatency, seconds: 10 * options.scale)
            let (usage, latencies) = try delivery.run(pace)
            let values = [0.5, 0.99].map { latencies.percentile($0) / 1_000 }
            return Sample(usage, items: pace.items, values: values)
        }
    }

    private func withGateways<Result>(_ count: Int, _ use: ([GatewayServer]) throws -> Result) throws -> Result {
        let database = try PostgreSQLServer(workspace)
        defer { database.stop() }
        var gateways: [GatewayServer] = []
        defer { for gateway in gateways { gateway.stop() } }
        for _ in 0..<count { gateways.append(try GatewayServer(workspace, ["--store", database.uri])) }
        return try use(gateways)
    }
}
