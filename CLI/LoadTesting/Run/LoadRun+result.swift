internal import Fleets
internal import Foundation
internal import GatewayClient
internal import SchemaFiles
internal import WaypostSchema

extension LoadRun {
    private static let maximumLostIDs = 1_000

    /// Returns the result of a load that has ended.
    func makeResult(
        _ sharedRecorder: SharedRecorder,
        _ seconds: [LoadSecond],
        audit: LoadAudit
    ) async throws -> LoadResult {
        let recorder = sharedRecorder.withRecorder { $0 }
        let duration = stopRequest.isRequested ? recorder.measuredSeconds : settings.seconds
        var result = LoadResult(
            run: LoadRunDescription(
                name: settings.name,
                start: Timestamp(milliseconds: Int(sharedRecorder.startTime * 1_000 + settings.warmUp * 1_000)),
                duration: duration,
                warmUp: settings.warmUp,
                settings: settings.commandLineSettings,
                machine: Machine.properties,
                gateway: []
            )
        )
        result.accepted = LatencySummary(recorder.acceptanceLatency)
        result.delivered = LatencySummary(recorder.deliveryLatency)
        result.acknowledged = LatencySummary(recorder.acknowledgementLatency)
        (result.offered, result.achieved) = (recorder.offeredCount, recorder.acceptedCount)
        result.offeredRate = Double(recorder.offeredCount) / duration
        // If the gateway accepts the last notifications after the end of the schedule, that time counts too.
        result.achievedRate = Double(recorder.acceptedCount) / max(duration, recorder.secondsToLastResponse)
        result.requests = recorder.requestCount
        result.lateStarts = recorder.lateStartCount
        (result.duplicated, result.reordered) = (recorder.duplicateCount, recorder.reorderedCount)
        let lostItems = try await record(recorder.missingItems(), in: &result, audit)
        result.errors = recorder.errorCounts
        result.seconds = seconds
        let waitingItems = lostItems.isEmpty ? [:] : (try? await audit.waitingItems()) ?? [:]
        result.warnings =
            LoadWarnings(
                result,
                health: try? await client.health(),
                waitingStates: lostItems.compactMap { waitingItems[$0] }
            ).sentences
        result.objectives = settings.objectives.map { $0.evaluate(result) }
        return result
    }

    /// Records the accepted notifications that did not arrive: lost ones, and those that ended as the rules say.
    ///
    /// - Returns: the lost notifications.
    private func record(
        _ missingItems: [LoadRecorder.MissingItem],
        in result: inout LoadResult,
        _ audit: LoadAudit
    ) async throws -> [LoadRecorder.MissingItem] {
        let canHaveEnded = !missingItems.isEmpty && settings.traffic.canEndUndelivered
        let endedItems = canHaveEnded ? try await audit.endedItems() : [:]
        for state in missingItems.compactMap({ endedItems[$0] }) { result.undelivered[state.rawValue, default: 0] += 1 }
        let lostItems = missingItems.filter { endedItems[$0] == nil }
        result.lost = lostItems.count
        result.lostIDs = lostItems.prefix(Self.maximumLostIDs).map(\.id)
        return lostItems
    }
}

extension LoadSettings {
    /// The settings in the words of the command line.
    fileprivate var commandLineSettings: [LoadRunDescription.Setting] {
        let rate =
            schedule.map { schedule in
                schedule.segments.map {
                    $0.startRate == $0.endRate
                        ? FigureText.number($0.startRate)
                        : "\(FigureText.number($0.startRate))..\(FigureText.number($0.endRate))"
                }.joined(
                    separator: ", "
                )
                    + (schedule.isRandom ? ", Poisson" : "")
            } ?? "closed loop"
        var pairs: [(String, String?)] = [("rate", rate)]
        switch api {
        case .batches(let itemsPerRequest, let coding):
            pairs += [("api", "batches"), ("batch", "\(itemsPerRequest)"), ("coding", coding.name ?? "none")]
        case .provider(let maximumStreamCount):
            pairs += [
                ("api", "provider"), ("streams", "\(maximumStreamCount)"), ("tls", usesTLS ? "yes" : nil),
                ("authentication", authentication.rawValue),
            ]
        }
        pairs += [("topic", traffic.topic.rawValue), ("key", key?.id.rawValue)]
        pairs += [
            ("connections", "\(connections)"), ("devices", "\(fleet.devices)"), ("behavior", fleet.behavior.name),
            ("payload", payloadText),
            ("zipf", traffic.zipfExponent > 0 ? "\(traffic.zipfExponent)" : nil),
            ("in-turn", traffic.isRoundRobin ? "yes" : nil),
            ("bad-tokens", traffic.badTokenShare > 0 ? QuantityText.text(ofShare: traffic.badTokenShare) : nil),
            ("broadcast", traffic.broadcastShare > 0 ? QuantityText.text(ofShare: traffic.broadcastShare) : nil),
            ("collapse-ids", traffic.collapseIdentifierCount > 0 ? "\(traffic.collapseIdentifierCount)" : nil),
            ("offline", startsOffline ? "yes" : nil), ("seed", "\(seed)"),
        ]
        return pairs.compactMap { name, value in value.map { LoadRunDescription.Setting(name: name, value: $0) } }
    }

    private var payloadText: String {
        guard let payload = traffic.payload else { return "\(traffic.payloadSizes) bytes" }
        return "\(payload.count) bytes of --payload-file"
    }
}

/// The machine on which the load test runs.
private enum Machine {
    static var properties: [LoadRunDescription.Setting] {
        let processInfo = ProcessInfo.processInfo
        let pairs: [(String, String)] = [
            ("cores", "\(processInfo.activeProcessorCount)"), ("memory", "\(processInfo.physicalMemory >> 20) MiB"),
            ("system", processInfo.operatingSystemVersionString),
        ]
        return pairs.map { name, value in LoadRunDescription.Setting(name: name, value: value) }
    }
}
