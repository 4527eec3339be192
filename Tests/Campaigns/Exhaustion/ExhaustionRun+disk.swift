import AsyncHTTPClient
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

extension ExhaustionRun {
    /// The size of the disk in KiB: room for the reserves of a gateway and for some hundred notifications.
    private static let diskSize = 13_000

    /// The number of bytes of a notification, and of notifications in a batch.
    private static let itemSize = 3_500
    private static let itemCounts = 5...40

    /// The number of batches after which a disk must be full.
    private static let maximumBatchCount = 4_000

    /// Fills the disk of a gateway with notifications and with the file of another program.
    ///
    /// Meanwhile, it refuses notifications for which there is no room, and delivers all others. An inbox that is read
    /// makes room, and so does the end of the other program's file.
    static func onFullDisk(
        _ trial: CampaignTrial,
        _ plan: ExhaustionPlan,
        http: HTTPClient
    ) async throws -> TrialOutcome {
        let scratch = try ScratchFolder()
        let disk = try await SmallDisk(kibibytes: diskSize, scratch)
        let options = ["--data", disk.path + "/data"]
        let outcome = try await perform(trial, plan, http: http, options: options, wrap: disk.inside) { run in
            var generator = SeededGenerator(seed: plan.seed)
            let calls = run.calls
            let stored = try await ServedDevice(calls)
            let accepted = try await run.fill(stored, &generator)
            try await disk.fill()
            await run.probeOnFullDisk()
            let readsFirst = Bool.random(using: &generator)
            if !readsFirst { try await disk.removeOtherFile() }
            try await run.drain(stored, expecting: accepted)
            await run.check("reading an inbox makes room for notifications", within: ExhaustionLimits.delivery) {
                try await stored.send(["small"], through: calls).status == 200
            }
            if readsFirst { try await disk.removeOtherFile() }
        }
        await disk.unmount()
        return outcome
    }

    /// Sends batches until the gateway has no room, and returns the names of the accepted notifications in order.
    private mutating func fill(
        _ device: ServedDevice,
        _ generator: inout SeededGenerator
    ) async throws -> [String] {
        var accepted: [String] = []
        for batch in 0..<Self.maximumBatchCount {
            let count = Int.random(in: Self.itemCounts, using: &generator)
            let names = (0..<count).map { "\(batch)-\($0)" }
            let answer = try await device.send(names, size: Self.itemSize, through: calls)
            outcome.operations += count
            guard answer.status == 200 else {
                if answer.status != 507 || answer.retryAfter == nil {
                    addViolation("batch \(batch) got \(answer.status), not 507 with Retry-After")
                }
                break
            }
            accepted += names
        }
        outcome.counts["notifications on a full disk"] = accepted.count
        note("the disk is full after \(accepted.count) notifications")
        return accepted
    }

    /// Sends small notifications, which are delivered or refused with 507.
    private mutating func probeOnFullDisk() async {
        let (device, calls) = (device, calls)
        for number in 0..<5 {
            let name = "on a full disk \(number)"
            do {
                let answer = try await device.send([name], through: calls)
                outcome.operations += 1
                guard answer.status == 200 else {
                    if answer.status != 507 { addViolation("'\(name)' got \(answer.status), not 200 or 507") }
                    continue
                }
                await check("'\(name)' arrives", within: ExhaustionLimits.delivery) { device.has(name) }
            } catch {
                addViolation("'\(name)' got no answer: \(error)")
            }
        }
        await check("/health/ready is answered", within: ExhaustionLimits.delivery) {
            let readiness = try await calls.readiness()
            return readiness.status == 200 || readiness.status == 503
        }
    }

    /// Reads an inbox, and checks that it had all accepted notifications in their order.
    private mutating func drain(_ device: ServedDevice, expecting names: [String]) async throws {
        guard let last = names.last else { return addViolation("it accepted nothing before the disk was full") }
        try await device.drain(upTo: last, within: ExhaustionLimits.recovery)
        outcome.operations += names.count
        guard device.names != names else { return }
        let missing = names.filter { !device.has($0) }
        addViolation(
            "of \(names.count) accepted notifications, \(missing.count) are missing (\(missing.prefix(3))), or their "
                + "order has changed"
        )
    }
}
