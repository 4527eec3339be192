import Glibc

/// The comparisons of delivery from a batch to the acknowledgement, with Mosquitto's quality of service 1.
final class Delivery {
    private let workspace: Workspace
    private let options: Options

    /// The rates at full speed that were measured with 100 devices.
    private var maximum: (gateway: [Double], broker: [Double]) = ([], [])

    init(workspace: Workspace, options: Options) {
        (self.workspace, self.options) = (workspace, options)
    }

    func all() -> [Comparison] {
        [(1, 60_000), (100, 60_000), (5_000, 40_000)].map { devices, items in
            endToEnd(devices: devices, items: items)
        } + [latency(devices: 100), idle(sessions: 5_000)]
    }

    /// The rate from batches to acknowledgements, for a number of items before it is scaled.
    func endToEnd(devices: Int, items: Int) -> Comparison {
        let items = options.items(items)
        return Comparison(
            "end to end to acknowledged, \(devices) \(devices == 1 ? "device" : "devices")",
            [Quantity(unit: .perSecond)],
            [
                Subject("Waypost") { [self] in
                    let sample = Sample(try withGateway(devices) { try $0.run(items: items) }, items: items)
                    if devices == 100 { maximum.gateway += sample.values }
                    return sample
                },
                Subject("Mosquitto") { [self] in
                    let sample = Sample(try withBroker(devices) { try $0.run(items: items) }, items: items)
                    if devices == 100 { maximum.broker += sample.values }
                    return sample
                },
            ]
        )
    }

    /// The latency at half of the maximum rate of each subject.
    private func latency(devices: Int) -> Comparison {
        Comparison(
            "latency to acknowledged at half load, \(devices) devices",
            [Quantity(name: "p50", unit: .milliseconds), Quantity(name: "p99", unit: .milliseconds)],
            [
                Subject("Waypost") { [self] in
                    let pace = try pace(maximum.gateway)
                    return sample(try withGateway(devices) { try $0.run(pace) }, pace)
                },
                Subject("Mosquitto") { [self] in
                    let pace = try pace(maximum.broker)
                    return sample(try withBroker(devices) { try $0.run(pace) }, pace)
                },
            ]
        )
    }

    private func pace(_ rates: [Double]) throws -> Pace {
        guard !rates.isEmpty else { throw Failure("the latency needs the rate of 'end to end, 100 devices'") }
        return Pace(rate: rates.median / 2, seconds: 5 * options.scale)
    }

    private func sample(_ result: (usage: Usage, latencies: [Double]), _ pace: Pace) -> Sample {
        let values = [0.5, 0.99].map { result.latencies.percentile($0) / 1_000 }
        return Sample(result.usage, items: pace.items, values: values)
    }

    private func idle(sessions: Int) -> Comparison {
        func bytes(_ server: Child, _ before: Int) -> Sample {
            Sample([Double(server.residentBytes - before) / Double(sessions)])
        }
        return Comparison(
            "idle session, resident memory, \(sessions) sessions",
            [Quantity(unit: .bytes)],
            [
                Subject("Waypost") { [self] in
                    let gateway = try GatewayServer(workspace)
                    defer { gateway.stop() }
                    let devices = try gateway.register(sessions)
                    let before = gateway.child.residentBytes
                    let delivery = try GatewayDelivery(gateway, devices, options.acknowledgements)
                    return withExtendedLifetime(delivery) { bytes(gateway.child, before) }
                },
                Subject("Mosquitto") { [self] in
                    let broker = try MosquittoServer(workspace)
                    defer { broker.stop() }
                    let before = broker.child.residentBytes
                    let delivery = try BrokerDelivery(broker, subscribers: sessions)
                    return withExtendedLifetime(delivery) { bytes(broker.child, before) }
                },
            ]
        )
    }

    private func withGateway<Result>(_ devices: Int, _ use: (GatewayDelivery) throws -> Result) throws -> Result {
        let gateway = try GatewayServer(workspace)
        defer { gateway.stop() }
        return try use(try GatewayDelivery(gateway, try gateway.register(devices), options.acknowledgements))
    }

    private func withBroker<Result>(_ subscribers: Int, _ use: (BrokerDelivery) throws -> Result) throws -> Result {
        let broker = try MosquittoServer(workspace)
        defer { broker.stop() }
        return try use(try BrokerDelivery(broker, subscribers: subscribers))
    }
}
