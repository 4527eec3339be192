import Foundation
import Testing
import WaypostSchema

extension DurabilityTests {
    @Suite struct CrashTests {
        /// A seed and a number of crashes for a long walk come from the environment.
        static let seed = UInt64(environment("WAYPOST_CRASH_SEED") ?? 7)
        static let crashes = environment("WAYPOST_CRASHES") ?? 24

        @Test func nothingAnsweredIsLostWhereverTheGatewayIsKilled() async throws {
            try await GatewayCalls.withClient { http in
                var town = try await CrashTown(http, seed: Self.seed)
                for _ in 0..<Self.crashes { try await town.crash() }
                let statuses = try await town.settle()

                #expect(town.findings.isEmpty, "\(town.findings.count): \(town.findings.prefix(5))")
                #expect(town.kills >= 20)
                #expect(town.killsInFlight * 2 >= town.kills)
                checkBatches(town)
                checkStatuses(statuses)
                checkLog(town)
                #expect(try await town.leftOver() == 0)
                print(town.summary)
            }
        }

        /// Every item that had a 200 came; a batch that is to be taken whole came whole or not at all.
        private func checkBatches(_ town: CrashTown) {
            for batch in town.senders.flatMap(\.batches) {
                let here = batch.items.filter { town.hasCome($0) }.map(\.name)
                let good = batch.goodItems.map(\.name)
                if batch.isRefused {
                    #expect(here.isEmpty, "of a batch that was refused")
                } else if batch.receipt != nil || batch.key != nil {
                    #expect(here == good, "not all of a batch that had a 200")
                } else if batch.isAtomic {
                    #expect(here.isEmpty || here == good, "half of an atomic batch")
                }
                for (name, id) in batch.knownIDs where town.hasCome(named: name) {
                    #expect(town.id(of: name) == id)
                }
            }
        }

        /// A receipt adds up: all that was accepted was acknowledged, and is counted once.
        private func checkStatuses(_ statuses: [(receipt: BatchReceipt, status: BatchStatus?)]) {
            for (receipt, status) in statuses {
                #expect(status?.accepted == receipt.accepted && status?.rejected == receipt.rejected)
                #expect(status?.states == (receipt.accepted == 0 ? [:] : [.acknowledged: receipt.accepted]))
            }
        }

        /// The log has every item that came, as acknowledged, and nothing that is still under way.
        private func checkLog(_ town: CrashTown) {
            for id in town.receivers.flatMap(\.deliveries.acceptedIDs) {
                #expect(town.log[id]?.state == .acknowledged, "\(id)")
            }
            let unfinished = town.log.values.filter { !$0.state.isFinal }
            #expect(unfinished.isEmpty)
        }

        private static func environment(_ name: String) -> Int? {
            ProcessInfo.processInfo.environment[name].flatMap(Int.init)
        }
    }
}

extension CrashTown {
    fileprivate func hasCome(named name: String) -> Bool {
        id(of: name) != nil
    }

    /// One line of what the test saw.
    fileprivate var summary: String {
        let batches = senders.flatMap(\.batches)
        let accepted = batches.compactMap(\.receipt).reduce(0) { $0 + $1.accepted }
        let deliveries = receivers.map(\.deliveries)
        return """
            crash test: \(kills) kills (\(killsInFlight) with requests outstanding, \(killsWhileStarting) while \
            starting), \(batches.count) batches, \(accepted) items answered, \(unanswered) requests without an answer, \
            \(senders.reduce(0) { $0 + $1.foundStored }) batches found stored without one, \
            \(deliveries.reduce(0) { $0 + $1.duplicates }) duplicates, \
            \(deliveries.reduce(0) { $0 + $1.goneCount }) acknowledgements, \
            \(receivers.reduce(0) { $0 + $1.reconnections }) streams left, \
            \(log.values.count { $0.attempts > 1 }) notifications sent more than once
            """
    }
}
