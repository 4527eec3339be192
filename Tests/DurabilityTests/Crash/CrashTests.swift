import Foundation
import ProcessTestSupport
import StoreTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

extension DurabilityTests {
    /// The time limit allows for twenty starts of a gateway under load, on a busy machine.
    @Suite(.timeLimit(.minutes(5 * Trials.factor))) struct CrashTests {
        @Test func killedGatewayLosesNothingThatItAnswered() async throws {
            try await crash(20 * Trials.factor, store: "sqlite")
        }

        @Test func killedGatewayOnADatabaseServerLosesNothingThatItAnswered() async throws {
            let database = try await PostgresServer.shared.takeDatabase()
            defer { PostgresServer.shared.giveBack(database) }
            try await crash(10 * Trials.factor, store: database)
        }

        private func crash(_ kills: Int, store: String) async throws {
            try await GatewayCalls.withClient { http in
                var scenario = try await CrashScenario(http, store: store, seed: Trials.seed(7))
                for _ in 0..<kills { try await scenario.crash() }
                let statuses = try await scenario.settle()

                #expect(scenario.findings.isEmpty, "\(scenario.findings.count): \(scenario.findings.prefix(5))")
                #expect(scenario.kills == kills)
                #expect(scenario.killsInFlight * 2 >= scenario.kills)
                checkBatches(scenario)
                checkStatuses(statuses)
                checkLog(scenario)
                #expect(try await scenario.leftOver() == 0)
                print(scenario.summary)
            }
        }

        /// Checks that every item with a 200 arrived, and that an atomic batch arrived completely or not at all.
        private func checkBatches(_ scenario: CrashScenario) {
            for batch in scenario.senders.flatMap(\.batches) {
                let here = batch.items.filter { scenario.hasCome($0) }.map(\.name)
                let good = batch.goodItems.map(\.name)
                if batch.isRefused {
                    #expect(here.isEmpty, "items of a refused batch arrived")
                } else if batch.receipt != nil || batch.key != nil {
                    #expect(here == good, "a batch with a 200 is incomplete")
                } else if batch.isAtomic {
                    #expect(here.isEmpty || here == good, "an atomic batch is incomplete")
                }
                for (name, id) in batch.knownIDs where scenario.hasCome(named: name) {
                    #expect(scenario.id(of: name) == id)
                }
            }
        }

        /// Checks that every accepted item of a receipt was acknowledged and is counted once.
        private func checkStatuses(_ statuses: [(receipt: BatchReceipt, status: BatchStatus?)]) {
            for (receipt, status) in statuses {
                #expect(status?.accepted == receipt.accepted && status?.rejected == receipt.rejected)
                #expect(status?.states == (receipt.accepted == 0 ? [:] : [.acknowledged: receipt.accepted]))
            }
        }

        /// Checks that the log has every received item as acknowledged, and no unfinished item.
        private func checkLog(_ scenario: CrashScenario) {
            for id in scenario.receivers.flatMap(\.deliveries.acceptedIDs) {
                #expect(scenario.log[id]?.state == .acknowledged, "\(id)")
            }
            let unfinished = scenario.log.values.filter { !$0.state.isFinal }
            #expect(unfinished.isEmpty)
        }
    }
}

extension CrashScenario {
    fileprivate func hasCome(named name: String) -> Bool {
        id(of: name) != nil
    }

    /// A one-line summary of the run.
    fileprivate var summary: String {
        let batches = senders.flatMap(\.batches)
        let accepted = batches.compactMap(\.receipt).reduce(0) { $0 + $1.accepted }
        let deliveries = receivers.map(\.deliveries)
        return """
            crash test: \(kills) kills (\(killsInFlight) with requests outstanding, \(killsWhileStarting) while \
            starting), \(batches.count) batches, \(accepted) items answered, \(unanswered) requests without an answer, \
            \(senders.reduce(0) { $0 + $1.foundStored }) batches found stored without one, \
            \(deliveries.reduce(0) { $0 + $1.duplicates }) duplicates, \
            \(deliveries.reduce(0) { $0 + $1.goneCount }) acknowledged, \
            \(receivers.reduce(0) { $0 + $1.reconnections }) streams left, \
            \(log.values.count { $0.attempts > 1 }) notifications sent more than once
            """
    }
}
