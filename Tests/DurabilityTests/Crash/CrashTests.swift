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
                var scenario = try await CrashScenario(http, seed: Self.seed)
                for _ in 0..<Self.crashes { try await scenario.crash() }
                let statuses = try await scenario.settle()

                #expect(scenario.findings.isEmpty, "\(scenario.findings.count): \(scenario.findings.prefix(5))")
                #expect(scenario.kills >= 20)
                #expect(scenario.killsInFlight * 2 >= scenario.kills)
                checkBatches(scenario)
                checkStatuses(statuses)
                checkLog(scenario)
                #expect(try await scenario.leftOver() == 0)
                print(scenario.summary)
            }
        }

        /// Every item that had a 200 came; a batch that is to be taken whole came whole or not at all.
        private func checkBatches(_ scenario: CrashScenario) {
            for batch in scenario.senders.flatMap(\.batches) {
                let here = batch.items.filter { scenario.hasCome($0) }.map(\.name)
                let good = batch.goodItems.map(\.name)
                if batch.isRefused {
                    #expect(here.isEmpty, "of a batch that was refused")
                } else if batch.receipt != nil || batch.key != nil {
                    #expect(here == good, "not all of a batch that had a 200")
                } else if batch.isAtomic {
                    #expect(here.isEmpty || here == good, "half of an atomic batch")
                }
                for (name, id) in batch.knownIDs where scenario.hasCome(named: name) {
                    #expect(scenario.id(of: name) == id)
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
        private func checkLog(_ scenario: CrashScenario) {
            for id in scenario.receivers.flatMap(\.deliveries.acceptedIDs) {
                #expect(scenario.log[id]?.state == .acknowledged, "\(id)")
            }
            let unfinished = scenario.log.values.filter { !$0.state.isFinal }
            #expect(unfinished.isEmpty)
        }

        private static func environment(_ name: String) -> Int? {
            ProcessInfo.processInfo.environment[name].flatMap(Int.init)
        }
    }
}

extension CrashScenario {
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
