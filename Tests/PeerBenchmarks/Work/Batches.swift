import Foundation

/// The comparisons of batches of 500 items, compressed, on 4 connections, to 10,000 devices.
final class Batches {
    private let workspace: Workspace
    private let options: Options

    /// The store of a gateway that accepted the batches, and the numbers of rows before them, once it exists.
    private var accepted: (database: URL, counts: [String: Int])?

    init(workspace: Workspace, options: Options) {
        (self.workspace, self.options) = (workspace, options)
    }

    private var items: Int { options.items(100_000) }

    func all() -> [Comparison] {
        [onDisk(), inMemory()]
    }

    func onDisk() -> Comparison {
        Comparison(
            "batches",
            [Quantity(unit: .perSecond)],
            [
                Subject("Waypost") { [self] in try gateway([]) },
                Subject("GRDB alone") { [self] in try bareInserts() },
            ]
        )
    }

    private func inMemory() -> Comparison {
        Comparison(
            "batches, in memory",
            [Quantity(unit: .perSecond)],
            [
                Subject("Waypost, in memory") { [self] in try gateway(["--store", "memory"]) },
                Subject("Waypost, on disk") { [self] in try gateway([]) },
            ]
        )
    }

    private func gateway(_ arguments: [String]) throws -> Sample {
        let gateway = try GatewayServer(workspace, arguments)
        defer { gateway.stop() }
        return Sample(try Self.send(items, to: try gateway.register(10_000), of: gateway), items: items)
    }

    /// Inserts the rows of a gateway that accepted the same batches.
    private func bareInserts() throws -> Sample {
        let (database, counts) = try acceptedBatches()
        let folder = try workspace.makeFolder("grdb")
        defer { try? FileManager.default.removeItem(at: folder) }
        let inserts = try BareInserts(from: database, before: counts, in: folder)
        var sample = Sample(try inserts.run(transactions: items / Item.batch), items: items)
        sample.clientShare = nil
        return sample
    }

    /// Returns the store of a gateway that accepted the batches, which all rounds use.
    private func acceptedBatches() throws -> (database: URL, counts: [String: Int]) {
        if let accepted { return accepted }
        let gateway = try GatewayServer(workspace, data: try workspace.makeFolder("accepted"))
        defer { gateway.stop() }
        let devices = try gateway.register(10_000)
        let counts = try BareInserts.counts(in: gateway.database)
        _ = try Self.send(items, to: devices, of: gateway)
        accepted = (gateway.database, counts)
        return (gateway.database, counts)
    }

    /// Sends batches to the devices of a gateway.
    static func send(_ items: Int, to devices: [Device], of gateway: GatewayServer) throws -> Usage {
        let batches = PreparedBatches(to: devices, items: items, isCompressed: true)
        let poller = Poller()
        let sender = try BatchSender(poller, ports: [try gateway.servicePort()], connections: 4)
        let start = Usage.now([gateway.child])
        while sender.accepted < items {
            try sender.feed { batches.next(&$0) }
            try poller.wait(milliseconds: 1_000) { try sender.receive(from: $0) }
        }
        return Usage.now([gateway.child]) - start
    }
}
