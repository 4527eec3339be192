import WaypostTestSupport

/// Faults in the same cluster, one after another.
package struct ClusterRound: Sendable, CustomStringConvertible {
    /// The faults, in their order.
    package let faults: [ClusterFault]

    /// Creates a round.
    package init(_ faults: [ClusterFault]) {
        self.faults = faults
    }

    /// The names of the faults, each once.
    package var description: String {
        let names = faults.map(\.description).reduce(into: [String]()) { names, name in
            if !names.contains(name) { names.append(name) }
        }
        return names.joined(separator: ", ")
    }

    /// Injects the faults into a new cluster under load, and checks after each that nothing answered is lost.
    ///
    /// - Parameters:
    ///   - environment: the program, the folder of the logs, and the history.
    ///   - devices: the number of devices.
    ///   - seed: the seed of all choices.
    /// - Returns: the counts and violations; a wait that is over, and a gateway that ends badly, are violations.
    /// - Throws: the error of a database that did not start.
    package func run(_ environment: ClusterEnvironment, devices: Int, seed: UInt64) async throws -> ClusterSummary {
        var generator = SeededGenerator(seed: seed)
        let needsReplica = faults.contains(.promoteReplica)
        let clusterSeed = generator.next()
        return try await Cluster.run(
            environment,
            withReplica: needsReplica,
            devices: devices,
            seed: clusterSeed
        ) { cluster in
            var summary = await inject(into: cluster, using: &generator)
            summary.add(ClusterSummary(sharedBy: cluster))
            return summary
        }
    }

    /// Injects the faults, up to the first trial that does not end.
    private func inject(into cluster: Cluster, using generator: inout SeededGenerator) async -> ClusterSummary {
        var summary = ClusterSummary()
        var start = 0
        for (number, fault) in faults.enumerated() {
            var trial = ClusterTrial(
                cluster: cluster,
                fault: fault,
                name: "t\(number)",
                start: start,
                generator: SeededGenerator(seed: generator.next())
            )
            do {
                let (counts, last) = try await trial.run()
                summary.add(counts)
                start = last
            } catch {
                summary.trials += 1
                summary.findings.append("\(fault): the trial did not end: \(error)")
                return summary
            }
        }
        return summary
    }
}

extension ClusterSummary {
    /// Creates the counts and violations that are not those of single trials.
    fileprivate init(sharedBy cluster: Cluster) {
        failures = cluster.access.answers.failures
        unanswered = cluster.access.answers.unanswered
        idleTransactions = cluster.database.primary.logLines(with: "due to idle-in-transaction timeout")
        deadlocks = cluster.database.primary.logLines(with: "deadlock detected")
        lockWaits = cluster.database.primary.logLines(with: " still waiting for ")
        findings = cluster.access.answers.findings
        for (number, device) in cluster.devices.enumerated() {
            findings += device.inbox.findings.map { "device \(number): \($0)" }
        }
    }
}
