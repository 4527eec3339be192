import Foundation
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

extension DiskTrial {
    /// Changes bytes of payloads in the database between two gateways.
    ///
    /// The gateway must deliver all other notifications, and none of the damaged ones, whose identifiers must be in its
    /// log.
    mutating func damagePayloads() async throws {
        try await register()
        guard let gateway = try await startAgain(after: "the registration of devices") else { return }
        let calls = GatewayCalls(ready: gateway.ready, http: http)
        let items = (0..<90).map { number in
            DiskItem("d\(number)", to: number % agents.count, maximumSize: 3_500, using: &generator)
        }
        await expectations.add(items, isAtomic: true)
        let lines = items.map { $0.line(for: agents[$0.agent].token) }.joined()
        let answer = try await calls.send(lines, query: "?atomic=true")
        await expectations.record(answer.status == 200 ? .stored : .refused, of: items)
        // The end of a gateway copies the write-ahead log into the database.
        await end(gateway)

        let chosen = items.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
        let damaged = try damage(chosen)
        await expectations.markAsDamaged(damaged)
        await expectations.count("damaged payloads", damaged.count)
        if damaged.isEmpty { await expectations.report("no payload was found in the database") }
        let fault = "damage to \(damaged.count) payloads"
        guard let log = try await check("end", after: fault) else { return }
        for item in damaged {
            let lines = log.split(separator: "\n").filter { $0.contains("\(item.id)") }
            if !lines.contains(where: { $0.contains("damaged") }) {
                await expectations.report("\(item) is damaged, and its identifier is not in the log")
            }
        }
    }

    /// Changes a byte of each payload wherever the database has it, and returns the items for which that succeeded.
    ///
    /// A payload is found if its start is within a page; its first filling byte may be on another one.
    private func damage(_ items: [DiskItem]) throws -> [DiskItem] {
        let file = URL(filePath: disk.folder + "/waypost.sqlite")
        var bytes = try Data(contentsOf: file)
        let damaged = items.filter { item in
            var isDamaged = false
            var start = bytes.startIndex
            while let found = bytes.range(of: Data(item.filledStart.utf8), in: start..<bytes.endIndex) {
                start = found.upperBound
                guard start < bytes.endIndex, bytes[start] == UInt8(ascii: "-") else { continue }
                bytes[start] = UInt8(ascii: "+")
                isDamaged = true
            }
            return isDamaged
        }
        try bytes.write(to: file)
        return damaged
    }
}
