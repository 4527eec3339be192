internal import Fleets
internal import Foundation
internal import GatewayClient
internal import WaypostSchema

extension LoadRun {
    private static let mostLostIDs = 1_000

    /// Returns the result of a load that has ended.
    func result(
        _ recorder: SharedRecorder,
        _ begin: Timestamp,
        _ seconds: [LoadSecond],
        _ settings: LoadSettings
    ) -> LoadResult {
        let state = recorder.withRecorder { $0 }
        let length = isStopped.isRequested ? state.measuredSeconds : settings.seconds
        var result = LoadResult(
            run: LoadRunDescription(
                name: settings.name,
                start: Timestamp(milliseconds: Int(Date().timeIntervalSince1970 * 1_000) - seconds.count * 1_000),
                duration: length,
                warmUp: settings.warmUp,
                settings: settings.described,
                machine: Machine.described,
                gateway: []
            )
        )
        result.accepted = LatencySummary(state.accepted)
        result.delivered = LatencySummary(state.delivered)
        result.acknowledged = LatencySummary(state.acknowledged)
        (result.offered, result.achieved) = (state.offered, state.achieved)
        result.offeredRate = Double(state.offered) / length
        result.achievedRate = Double(state.achieved) / length
        (result.lateStarts, result.duplicated, result.reordered) = (state.lateStarts, state.duplicated, state.reordered)
        let lost = state.lost()
        result.lost = lost.count
        result.lostIDs = Array(lost.prefix(Self.mostLostIDs))
        result.errors = state.errors
        result.seconds = seconds
        result.warnings = warnings(about: result, requests: state.offered / max(1, settings.batch))
        result.objectives = settings.objectives.map { $0.check(result) }
        return result
    }

    private func warnings(about result: LoadResult, requests: Int) -> [String] {
        var warnings: [String] = []
        #if DEBUG
        warnings.append(
            "The generator and the devices are a debug build, which needs several times the processor time."
        )
        #endif
        if result.lateStarts * 100 > requests {
            warnings.append(
                "\(result.lateStarts) of \(requests) requests began late: the connections or the generator were busy."
            )
        }
        let busy = result.seconds.compactMap(\.generatorBusy).filter { $0 > 0.9 }.count
        if busy > 0 { warnings.append("A thread of the generator was busy for more than 90% of \(busy) seconds.") }
        return warnings
    }
}

extension LoadSettings {
    /// The settings in the words of the command line.
    fileprivate var described: [LoadRunDescription.Setting] {
        let rate =
            schedule.map { schedule in
                schedule.segments.map { $0.from == $0.to ? "\($0.from)" : "\($0.from)..\($0.to)" }.joined(
                    separator: ", "
                )
                    + (schedule.isRandom ? ", Poisson" : "")
            } ?? "closed loop"
        let pairs: [(String, String)] = [
            ("rate", rate), ("batch", "\(batch)"), ("connections", "\(connections)"), ("coding", coding.name ?? "none"),
            ("devices", "\(fleet.devices)"), ("behavior", fleet.behavior.name), ("payload", "\(items.payload) bytes"),
            ("skew", "\(items.skew)"), ("seed", "\(seed)"),
        ]
        return pairs.map { LoadRunDescription.Setting(name: $0.0, value: $0.1) }
    }
}

/// The machine on which the load test runs.
private enum Machine {
    static var described: [LoadRunDescription.Setting] {
        let system = ProcessInfo.processInfo
        let pairs: [(String, String)] = [
            ("cores", "\(system.activeProcessorCount)"), ("memory", "\(system.physicalMemory >> 20) MiB"),
            ("system", system.operatingSystemVersionString),
        ]
        return pairs.map { LoadRunDescription.Setting(name: $0.0, value: $0.1) }
    }
}
