import Foundation

/// The comparisons of batches of 500 items, compressed, on 4 connections, to 10,000 devices.
struct Batches {
    let workspace: Workspace
    let options: Options

    private var items: Int { options.items(100_000) }

    func all() -> [Comparison] {
        let rate = [Quantity(unit: .perSecond)]
        return [
            Comparison(
                "batches",
                rate,
                [
                    Subject("Waypost") { try gateway([]) },
                    Subject("GRDB alone") { try bareInserts() },
                ]
            ),
            Comparison(
                "batches, in memory",
                rate,
                [
                    Subject("Waypost, in memory") { try gateway(["--store", "memory"]) },
                    Subject("Waypost, on disk") { try gateway([]) },
                ]
            ),
        ]
    }

    private func gateway(_ arguments: [String]) throws -> Sample {
        let gateway = try GatewayServer(workspace, arguments)
        defer { gateway.stop() }
        return Sample(try Self.send(items, to: try gateway.register(10_000), of: gateway), items: items)
    }

    /// Inserts the rows of a gateway that accepted the same batches.
    private func bareInserts() throws -> Sample {
        let gateway = try GatewayServer(workspace)
        defer { gateway.stop() }
        let devices = try gateway.register(10_000)
        let counts = try BareInserts.counts(in: gateway.database)
        _ = try Self.send(items, to: devices, of: gateway)
        gateway.child.stop()
        let folder = try workspace.makeFolder("grdb")
        defer { try? FileManager.default.removeItem(at: folder) }
        let inserts = try BareInserts(from: gateway.database, before: counts, in: folder)
        var sample = Sample(try inserts.run(transactions: items / Item.batch), items: items)
        sample.clientShare = nil
        return sample
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
