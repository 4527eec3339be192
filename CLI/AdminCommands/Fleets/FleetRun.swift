internal import Fleets
internal import Foundation
internal import GatewayClient
internal import LocalService
internal import UnixSignals
internal import WaypostSchema

/// A run of a fleet: registers the devices, connects them, reports progress, and compares them with the gateway's log.
struct FleetRun: Sendable {
    let settings: FleetSettings
    let client: GatewayClient
    let command: FleetRunCommand
    let reporter: RunReporter

    func perform() async throws -> FleetReport {
        ProcessLimits.raiseOpenFiles()
        try checkThatHostIsAllowed(in: client.serviceURL)
        let couriers = try await client.courierURLs().map { url in
            guard let courier = ListenAddress(url: url) else {
                throw CommandFailure.unusable("the courier listener has the URL \(url); a fleet needs http")
            }
            try checkThatHostIsAllowed(in: url)
            return courier
        }
        let startTime = try await client.clock().now
        let registration = FleetRegistration(client)
        let credentials = try await InterruptibleRun.run { try await registration.register(settings) }
        let outcome = await Result.catching {
            let fleet = try await Fleet(settings, credentials, couriers: couriers, startTime: startTime)
            let runOutcome = await Result.catching {
                try writeTokens(of: fleet)
                let report = try await run(fleet, FleetAudit(fleet, client, since: startTime))
                try await writeJournals(of: fleet)
                return report
            }
            try await fleet.stop()
            return try runOutcome.get()
        }
        if !command.keepRegistered {
            await registration.unregisterDespiteCancellation(credentials.flatMap(\.tokens))
        }
        return try outcome.get()
    }

    /// Checks that a URL is on this machine, or that other machines are allowed.
    private func checkThatHostIsAllowed(in url: String) throws(CommandFailure) {
        guard command.allowRemote || ListenAddress(url: url)?.isLoopback == true else {
            throw CommandFailure.unusable("\(url) is not on this machine; --allow-remote allows that")
        }
    }

    private func run(_ fleet: Fleet, _ audit: FleetAudit) async throws -> FleetReport {
        let start = ContinuousClock.now
        try await fleet.connect()
        try await runUntilInterrupted { try await reportProgress(of: fleet, from: start) }
        let limit = Duration.milliseconds(command.drain)
        // A second interrupt ends the wait. The report is complete nevertheless.
        do {
            try await InterruptibleRun.run { try await audit.waitForEmptyInboxes(within: limit) }
        } catch is CancellationError {}
        let snapshot = try await fleet.snapshot()
        let lost = try await audit.lostNotifications(arrivedCount: snapshot.counts.received)
        return FleetReport(settings, snapshot, lost: lost, seconds: (ContinuousClock.now - start).seconds)
    }

    /// Runs `work` until it ends, or until the user interrupts it.
    private func runUntilInterrupted(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        try await withThrowingTaskGroup { group in
            group.addTask { try await work() }
            group.addTask { for await _ in signals { return } }
            defer { group.cancelAll() }
            do { try await group.next() } catch is CancellationError {}
        }
    }

    /// Reports progress each second, and starts the storms, until the duration of the run has passed.
    private func reportProgress(of fleet: Fleet, from start: ContinuousClock.Instant) async throws {
        let progress = FleetProgress(devices: settings.devices)
        defer { progress.finish() }
        let storms = settings.behavior.storms.sorted { $0.at < $1.at }
        let end = command.duration.map { start + .milliseconds($0) }
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask {
                for storm in storms {
                    try await Task.sleep(until: start + .microseconds(storm.at), clock: .continuous)
                    try await fleet.begin(storm)
                }
            }
            var (nextReport, second) = (start, 0)
            while end.map({ ContinuousClock.now < $0 }) ?? true {
                nextReport += .seconds(1)
                try await Task.sleep(until: min(nextReport, end ?? nextReport), clock: .continuous)
                let counts = try await fleet.snapshot().counts
                progress.show(counts)
                reporter.report(.figures(RunFigures(second: second, counts)))
                second += 1
            }
            group.cancelAll()
        }
    }

    private func writeTokens(of fleet: Fleet) throws {
        guard let file = command.tokens else { return }
        try OutputFile.write(Data(fleet.tokens.map { "\($0.rawValue)\n" }.joined().utf8), to: URL(filePath: file))
    }

    private func writeJournals(of fleet: Fleet) async throws {
        guard let folder = command.journals else { return }
        for (token, entries) in try await fleet.journals() {
            let lines = try entries.map { try JSONOutput.line($0) + "\n" }.joined()
            try OutputFile.write(Data(lines.utf8), to: URL(filePath: folder).appending(path: "\(token.rawValue).jsonl"))
        }
    }
}

/// The progress of a fleet on standard error: one line on a terminal, which is overwritten, or else JSON Lines.
private struct FleetProgress {
    /// The counts at one time.
    private struct Line: Encodable {
        let devices: Int
        let connected: Int
        let received: Int
        let acknowledged: Int
        let duplicated: Int
    }

    let devices: Int
    private let isTerminal = isatty(STDERR_FILENO) == 1

    init(devices: Int) {
        self.devices = devices
    }

    func show(_ counts: FleetCounts) {
        let output =
            isTerminal
            ? "\r\u{1B}[K\(counts.connected) of \(devices) connected, \(counts.received) received, "
                + "\(counts.acknowledged) acknowledged, \(counts.duplicated) duplicated"
            : (try? JSONOutput.line(line(counts)) + "\n") ?? ""
        try? FileHandle.standardError.write(contentsOf: Data(output.utf8))
    }

    /// Ends the line that changes.
    func finish() {
        if isTerminal { try? FileHandle.standardError.write(contentsOf: Data("\n".utf8)) }
    }

    private func line(_ counts: FleetCounts) -> Line {
        Line(
            devices: devices,
            connected: counts.connected,
            received: counts.received,
            acknowledged: counts.acknowledged,
            duplicated: counts.duplicated
        )
    }
}

extension RunFigures {
    fileprivate init(second: Int, _ counts: FleetCounts) {
        let values = [
            "connected": counts.connected, "received": counts.received, "acknowledged": counts.acknowledged,
            "duplicated": counts.duplicated,
        ]
        self.init(second: second, values: values.mapValues(Double.init))
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
