import ProcessTestSupport
import WaypostTestSupport

extension Cluster {
    /// Injects a fault, and returns when it has ended: all gateways and the database run.
    func inject(_ fault: ClusterFault, using generator: inout SeededGenerator) async throws {
        environment.note("fault", "\(fault) begins")
        defer { environment.note("fault", "\(fault) ends") }
        switch fault {
        case .killGateway: try await killGateway(using: &generator)
        case .restartGateways:
            for gateway in gateways {
                try await stop(gateway)
                try await gateway.start()
            }
        case .killDatabase:
            try await database.primary.killAll()
            try await pause(upTo: .seconds(3), using: &generator)
            try await database.primary.start()
        case .promoteReplica:
            // Gateways whose connections are frozen wait longer or shorter for the primary.
            let time = Duration.milliseconds(.random(in: 0...8_000, using: &generator))
            try await database.failOver { try await Task.sleep(for: time) }
            // A server that is gone refuses connections, and so must its proxies: libpq tries the next server then.
            for proxy in primaryProxies { proxy.close() }
        case .stopGateway(let seconds):
            let gateway = gateways[access.anyGateway(using: &generator)]
            environment.note("fault", "stops \(gateway.name)")
            gateway.freeze()
            defer { gateway.thaw() }
            try await Task.sleep(for: .seconds(seconds))
        case .stopGatewayInTransaction(let seconds): try await stopInTransaction(for: seconds, using: &generator)
        case .cutBeforeCommit: try await cutSeveral(using: &generator) { .anyBefore(using: &$0) }
        case .cutAfterCommit: try await cutSeveral(using: &generator) { .anyAfter(using: &$0) }
        case .loseOutcome: try await loseOutcomes(using: &generator)
        case .loseNotifications: try await severListeners(using: &generator)
        }
    }

    private func killGateway(using generator: inout SeededGenerator) async throws {
        guard let gateway = gateways.randomElement(using: &generator) else { return }
        environment.note("fault", "kills \(gateway.name)")
        await gateway.kill()
        // Half of the time, the others give up its sessions before it starts again.
        if Bool.random(using: &generator) { try await pause(upTo: .seconds(12), using: &generator) }
        try await gateway.start()
    }

    /// Stops a gateway that has a transaction open.
    private func stopInTransaction(for seconds: Int, using generator: inout SeededGenerator) async throws {
        let number = access.anyGateway(using: &generator)
        let gateway = gateways[number]
        let stop = TransactionStop(
            .allCases.randomElement(using: &generator) ?? .betweenPipelines,
            after: .random(in: 0..<40, using: &generator),
            stopClient: gateway.freeze
        )
        primaryProxies[number].plan(stop)
        defer {
            stop.end()
            gateway.thaw()
        }
        try await stop.waitUntilStopped()
        environment.note("fault", "\(gateway.name) is stopped \(stop.moment)")
        try await Task.sleep(for: .seconds(seconds))
    }

    /// Cuts one to four commits, of any gateways, one after another.
    private func cutSeveral(
        using generator: inout SeededGenerator,
        _ cut: (inout SeededGenerator) -> CommitCut
    ) async throws {
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            guard let proxy = primaryProxies.randomElement(using: &generator) else { return }
            proxy.planCut(cut(&generator))
            try await proxy.waitForCut()
            await access.http.turn(.random(in: 0...2_000, using: &generator))
        }
    }

    /// Loses the outcome of a commit of a gateway, and then cuts its next commits.
    ///
    /// The other connections stay, so the gateway does not learn of the failure from them. The next cut is planned
    /// before the gateway can connect again, so there is no successful commit between the two.
    private func loseOutcomes(using generator: inout SeededGenerator) async throws {
        guard let proxy = primaryProxies.randomElement(using: &generator) else { return }
        for (cut, refusesAfterwards) in Self.cuts(using: &generator) {
            proxy.planCut(cut, refusesAfterwards: refusesAfterwards)
            proxy.acceptAgain()
            try await proxy.waitForCut()
            try await pause(upTo: .seconds(1), using: &generator)
        }
        proxy.acceptAgain()
    }

    /// Returns random cuts, and whether new connections are refused after each.
    ///
    /// Half of the time, a commit whose outcome is unknown took place, and the next one does not.
    private static func cuts(using generator: inout SeededGenerator) -> [(CommitCut, refusesAfterwards: Bool)] {
        guard Bool.random(using: &generator) else {
            return [(.after(waitsForAnswer: true), true), (.anyBefore(using: &generator), false)]
        }
        return (0..<Int.random(in: 1...4, using: &generator)).map { _ in
            let isBefore = Bool.random(using: &generator)
            let cut: CommitCut = isBefore ? .anyBefore(using: &generator) : .anyAfter(using: &generator)
            return (cut, Bool.random(using: &generator))
        }
    }

    /// Severs the listening connections one to four times, and waits until the gateways listen again.
    private func severListeners(using generator: inout SeededGenerator) async throws {
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            for proxy in primaryProxies { proxy.severListeners() }
            await access.http.turn(.random(in: 0...2_000, using: &generator))
        }
        try await waitUntil("all gateways listen", within: .clusterWait) {
            primaryProxies.allSatisfy { $0.listeningCount > 0 }
        }
    }

    /// Waits for a random time, which is part of the fault.
    private func pause(upTo limit: Duration, using generator: inout SeededGenerator) async throws {
        try await Task.sleep(for: limit * Double.random(in: 0...1, using: &generator))
    }
}
