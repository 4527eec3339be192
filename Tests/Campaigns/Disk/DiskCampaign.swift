import Foundation
import ProcessTestSupport
import WaypostTestSupport

/// Gateways on disks that forget what was not synced, that fill, that fail and that damage payloads.
struct DiskCampaign: Campaign {
    static let name = "disk"

    static let summary = """
        Power failures drop, tear and reorder the unsynced writes of a gateway, and disks fill, fail and damage \
        payloads; every answered item is delivered and acknowledged once, atomic batches are whole, and no damaged \
        payload comes.
        """

    /// The kinds of trials; consecutive seeds use them in this order.
    enum Kind: CaseIterable {
        case powerFailure
        case damagedPayload
        case powerFailureAtCreation
        case powerFailureOfBusyGateway
        case fullDisk
        case failingDisk
    }

    static func run(_ trial: CampaignTrial) async throws -> TrialOutcome {
        let kinds = Kind.allCases
        let kind = kinds[Int(trial.seed % UInt64(kinds.count))]
        trial.history.note("trial", "\(kind)")
        return try await GatewayCalls.withClient { http in
            var run = try await DiskTrial(trial, http)
            do {
                try await run.attack(kind)
            } catch {
                // A request to a gateway whose disk works must not fail.
                await run.expectations.report("a request failed: \(error)")
            }
            return await run.outcome()
        }
    }
}

extension DiskTrial {
    fileprivate mutating func attack(_ kind: DiskCampaign.Kind) async throws {
        switch kind {
        case .powerFailureAtCreation: try await failPowerAtCreation()
        case .damagedPayload: try await damagePayloads()
        case .powerFailure, .powerFailureOfBusyGateway, .fullDisk, .failingDisk: try await failPowerRepeatedly(kind)
        }
    }

    /// Lets the power of several gateways on the same data fail, and checks the data after each.
    private mutating func failPowerRepeatedly(_ kind: DiskCampaign.Kind) async throws {
        try await register()
        for round in 0..<4 {
            let settings = randomSettings(for: kind)
            let maximumSize = kind == .powerFailure ? 600 : 3_500
            let fault = try await failPower(round, settings, maximumSize: maximumSize)
            guard let log = try await check("r\(round)-end", after: fault) else { return }
            if log.contains("damaged") { await expectations.report("after \(fault), a payload is damaged") }
        }
        try await check("all", after: "the last power failure", acknowledgesAll: true)
        // Only the last items are delivered now.
        try await check("nothing", after: "the acknowledgement of everything", acknowledgesAll: true)
    }

    /// Returns a random behavior of the disk.
    private mutating func randomSettings(for kind: DiskCampaign.Kind) -> UnsyncedDisk.Settings {
        var settings = UnsyncedDisk.Settings(seed: generator.next())
        settings.maximumDelay = .random(in: 200...5_000, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: settings.failure = .beforeSync(.random(in: 1...150, using: &generator))
        case 1: settings.failure = .afterSync(.random(in: 1...150, using: &generator))
        case 2: settings.failure = .afterWrite(.random(in: 1...1_500, using: &generator))
        case 3: settings.failure = .atExit
        default: break
        }
        switch kind {
        case .fullDisk: settings.room = .random(in: 12_500_000...16_000_000, using: &generator)
        case .failingDisk:
            let call = UnsyncedDisk.InjectedError.Call.allCases.randomElement(using: &generator) ?? .sync
            settings.error = UnsyncedDisk.InjectedError(
                call,
                first: .random(in: call == .sync ? 1...150 : 1...1_500, using: &generator),
                count: Bool.random(using: &generator) ? 1 : .random(in: 2...1_000, using: &generator),
                code: [EIO, ENOSPC, EROFS].randomElement(using: &generator) ?? EIO
            )
            settings.failure = Bool.random(using: &generator) ? .atExit : nil
        default: break
        }
        return settings
    }

    /// Lets the power fail while gateways create their stores, and checks that they start again.
    private mutating func failPowerAtCreation() async throws {
        for round in 0..<8 {
            try? FileManager.default.removeItem(atPath: disk.folder)
            var settings = UnsyncedDisk.Settings(seed: generator.next())
            settings.failure =
                Bool.random(using: &generator)
                ? UnsyncedDisk.Failure.beforeSync(.random(in: 1...18, using: &generator))
                : UnsyncedDisk.Failure.afterWrite(.random(in: 1...260, using: &generator))
            let fault = try await failPower(round, settings, maximumSize: 100)
            guard let gateway = try await startAgain(after: fault) else { continue }
            await end(gateway)
        }
        try? FileManager.default.removeItem(atPath: disk.folder)
    }
}
