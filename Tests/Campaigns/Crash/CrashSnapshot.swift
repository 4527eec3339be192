import GatewayClient
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// The logs and counters of a gateway at one time.
struct CrashSnapshot: Sendable, Equatable {
    /// The namespaces with receivers.
    private static let namespaces = [Namespace.standard, CrashWorld.movingNamespace]

    /// The notifications that entered a state since the gateway started, by state.
    var counters: [DeliveryState: Int]

    /// The log of each namespace.
    var logs: [Namespace: [NotificationRecord]] = [:]

    /// Reads the counters and the logs.
    init(of gateway: GatewayCalls) async throws {
        counters = try await gateway.stateCounters()
        for namespace in Self.namespaces { logs[namespace] = try await gateway.records(in: namespace) }
    }

    /// Returns the first snapshot after which nothing changes for some time, or the last of twenty.
    static func settled(of gateway: GatewayCalls) async throws -> Self {
        var last = try await Self(of: gateway)
        for _ in 0..<20 {
            for _ in 0..<30 { try await pause() }
            let next = try await Self(of: gateway)
            if next == last { return next }
            last = next
        }
        return last
    }

    /// Whether every notification is in a final state.
    var isFinal: Bool {
        logs.values.allSatisfy { $0.allSatisfy(\.state.isFinal) }
    }

    /// Returns the statuses of all batches with accepted notifications in the logs; `nil` for a batch without one.
    func statuses(of gateway: GatewayCalls) async throws -> [Namespace: [BatchID: BatchStatus?]] {
        var statuses: [Namespace: [BatchID: BatchStatus?]] = [:]
        for (namespace, log) in logs {
            let client = gateway.client(in: namespace)
            var found: [BatchID: BatchStatus?] = [:]
            for batch in Set(log.lazy.filter { $0.state != .rejected }.map(\.batch)) {
                found.updateValue(try await client.existingStatus(of: batch), forKey: batch)
            }
            statuses[namespace] = found
        }
        return statuses
    }

    /// Returns the contradictions between the logs, the statuses, the counters and the model.
    ///
    /// - Parameters:
    ///   - before: The state when the gateway had started.
    ///   - statuses: The statuses of the batches.
    ///   - model: The model.
    /// - Returns: Sentences.
    func findings(
        since before: Self,
        statuses: [Namespace: [BatchID: BatchStatus?]],
        model: CrashModel
    ) -> [String] {
        var findings: [String] = []
        for (namespace, log) in logs {
            findings += model.findings(in: log, of: namespace)
            findings += model.findings(in: statuses[namespace] ?? [:], log: log)
        }
        findings += model.agentFindings(in: logs[CrashAgent.device.namespace] ?? [])
        let increase = counters.merging(before.counters) { $0 - $1 }
        return findings
            + CrashModel.counterFindings(
                increase,
                from: before.logs.values.flatMap(\.self),
                to: logs.values.flatMap(\.self)
            )
    }
}

extension GatewayClient {
    /// Returns the status of a batch; `nil` if there is no such batch.
    func existingStatus(of batch: BatchID) async throws(CallError) -> BatchStatus? {
        do throws(CallError) {
            return try await status(of: batch)
        } catch {
            guard case .refused(status: 404, _) = error else { throw error }
            return nil
        }
    }
}
