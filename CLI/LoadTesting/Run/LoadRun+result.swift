internal import Fleets
internal import Foundation
internal import GatewayClient
internal import SchemaFiles
internal import WaypostSchema

extension LoadRun {
    private static let maximumLostIDs = 1_000

    /// Returns the result of a load that has ended.
    func result(
        _ recorder: SharedRecorder,
        _ seconds: [LoadSecond],
        audit: LoadAudit
    ) async throws -> LoadResult {
        let state = recorder.withRecorder { $0 }
        let length = stop.isRequested ? state.measuredSeconds : settings.seconds
        var result = LoadResult(
            run: LoadRunDescription(
                name: settings.name,
                start: Timestamp(milliseconds: Int(recorder.wallStart * 1_000 + settings.warmUp * 1_000)),
                duration: length,
                warmUp: settings.warmUp,
                settings: settings.commandLineSettings,
                machine: Machine.properties,
                gateway: []
            )
        )
        result.accepted = LatencySummary(state.accepted)
        result.delivered = LatencySummary(state.delivered)
        result.acknowledged = LatencySummary(state.acknowledged)
        (result.offered, result.achieved) = (state.offered, state.achieved)
        result.offeredRate = Double(state.offered) / length
        // If the gateway accepts the last notifications after the end of the schedule, that time counts too.
        result.achievedRate = Double(state.achieved) / max(length, state.secondsToLastResponse)
        result.requests = state.measuredRequests
        (result.lateStarts, result.duplicated, result.reordered) = (state.lateStarts, state.duplicated, state.reordered)
        let lost = try await record(state.missingItems(), in: &result, audit)
        result.errors = state.errors
        result.seconds = seconds
        let waitingItems = lost.isEmpty ? [:] : (try? await audit.waitingItems()) ?? [:]
        result.warnings =
            LoadWarnings(
                result,
                health: try? await client.health(),
                waitingStates: lost.compactMap { waitingItems[$0] }
            ).sentences
        result.objectives = settings.objectives.map { $0.check(result) }
        return result
    }

    /// Records the accepted notifications that did not arrive: lost ones, and those that ended as the rules say.
    ///
    /// - Returns: the lost ones.
    private func record(
        _ missing: [LoadRecorder.MissingItem],
        in result: inout LoadResult,
        _ audit: LoadAudit
    ) async throws -> [LoadRecorder.MissingItem] {
        let endedItems = missing.isEmpty || !settings.items.canEndUndelivered ? [:] : try await audit.endedItems()
        for state in missing.compactMap({ endedItems[$0] }) { result.undelivered[state.rawValue, default: 0] += 1 }
        let lost = missing.filter { endedItems[$0] == nil }
        result.lost = lost.count
        result.lostIDs = lost.prefix(Self.maximumLostIDs).map(\.id)
        return lost
    }
}

extension LoadSettings {
    /// The settings in the words of the command line.
    fileprivate var commandLineSettings: [LoadRunDescription.Setting] {
        let rate =
            schedule.map { schedule in
                schedule.segments.map {
                    $0.from == $0.to
                        ? FigureText.number($0.from) : "\(FigureText.number($0.from))..\(FigureText.number($0.to))"
                }.joined(
                    separator: ", "
                )
                    + (schedule.isRandom ? ", Poisson" : "")
            } ?? "closed loop"
        var pairs: [(String, String?)] = [("rate", rate)]
        switch api {
        case .batches(let items, let coding):
            pairs += [("api", "batches"), ("batch", "\(items)"), ("coding", coding.name ?? "none")]
        case .provider(let streams):
            pairs += [
                ("api", "provider"), ("streams", "\(streams)"), ("tls", usesTLS ? "yes" : nil),
                ("authentication", authentication.rawValue),
            ]
        }
        pairs += [
            ("connections", "\(connections)"), ("devices", "\(fleet.devices)"), ("behavior", fleet.behavior.name),
            ("payload", "\(items.payload) bytes"), ("zipf", items.skew > 0 ? "\(items.skew)" : nil),
            ("in-turn", items.isInTurn ? "yes" : nil),
            ("bad-tokens", items.badTokens > 0 ? QuantityText.text(ofShare: items.badTokens) : nil),
            ("broadcast", items.broadcast > 0 ? QuantityText.text(ofShare: items.broadcast) : nil),
            ("collapse-ids", items.collapseIdentifiers > 0 ? "\(items.collapseIdentifiers)" : nil),
            ("offline", startsOffline ? "yes" : nil), ("seed", "\(seed)"),
        ]
        return pairs.compactMap { name, value in value.map { LoadRunDescription.Setting(name: name, value: $0) } }
    }
}

/// The machine on which the load test runs.
private enum Machine {
    static var properties: [LoadRunDescription.Setting] {
        let system = ProcessInfo.processInfo
        let pairs: [(String, String)] = [
            ("cores", "\(system.activeProcessorCount)"), ("memory", "\(system.physicalMemory >> 20) MiB"),
            ("system", system.operatingSystemVersionString),
        ]
        return pairs.map { LoadRunDescription.Setting(name: $0.0, value: $0.1) }
    }
}
