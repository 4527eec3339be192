import Foundation

/// The comparisons of the time from the start of a server until it listens.
final class Starting {
    /// The starts of a measurement, of which the median counts, because a start lasts only some milliseconds.
    private static let starts = 5

    private let workspace: Workspace
    private let options: Options

    /// The folders of servers with stored items, once they exist.
    private var stored: (gateway: URL?, broker: URL?)

    init(workspace: Workspace, options: Options) {
        (self.workspace, self.options) = (workspace, options)
    }

    func all() -> [Comparison] {
        let items = options.items(100_000)
        return [
            comparison("ready, new store", { nil }, { nil }),
            comparison(
                "ready, \(items) stored items",
                { [self] in try gatewayFolder(items) },
                { [self] in try brokerFolder(items) }
            ),
        ]
    }

    private func comparison(
        _ name: String,
        _ gateway: @escaping () throws -> URL?,
        _ broker: @escaping () throws -> URL?
    ) -> Comparison {
        Comparison(
            name,
            [Quantity(unit: .milliseconds)],
            [
                Subject("Waypost") { [workspace] in
                    try Self.median {
                        let server = try GatewayServer(workspace, data: try gateway())
                        server.stop()
                        return server.startTime
                    }
                },
                Subject("Mosquitto") { [workspace] in
                    try Self.median {
                        let server = try MosquittoServer(workspace, data: try broker())
                        server.stop()
                        return server.startTime
                    }
                },
            ]
        )
    }

    /// Returns the median time of several starts, in milliseconds.
    private static func median(_ start: () throws -> Int) throws -> Sample {
        Sample([try (0..<starts).map { _ in Double(try start()) / 1e6 }.median])
    }

    private func gatewayFolder(_ items: Int) throws -> URL {
        if let folder = stored.gateway { return folder }
        let folder = try workspace.makeFolder("stored")
        stored.gateway = folder
        let gateway = try GatewayServer(workspace, data: folder)
        defer { gateway.stop() }
        _ = try Batches.send(items, to: try gateway.register(10_000), of: gateway)
        return folder
    }

    private func brokerFolder(_ items: Int) throws -> URL {
        if let folder = stored.broker { return folder }
        let folder = try workspace.makeFolder("stored")
        stored.broker = folder
        let broker = try MosquittoServer(workspace, data: folder)
        defer { broker.stop() }
        // The subscribers disconnect, and the broker keeps their sessions.
        _ = try BrokerDelivery(broker, subscribers: 100)
        _ = try BrokerDelivery(broker, subscribers: 100, connects: false).run(items: items, isDelivered: false)
        return folder
    }
}
