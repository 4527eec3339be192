internal import Foundation
internal import WaypostSchema

/// The reasons why the figures of a load test are less certain, or differ from those of another machine.
struct LoadWarnings {
    private let result: LoadResult
    private let health: Health?
    private let waitingStates: [DeliveryState]

    /// Creates the warnings about a result.
    ///
    /// - Parameters:
    ///   - result: the result.
    ///   - health: what the gateway says of itself, if it responds.
    ///   - waitingStates: the states of the lost notifications that the gateway still has to deliver.
    init(_ result: LoadResult, health: Health?, waitingStates: [DeliveryState]) {
        (self.result, self.health, self.waitingStates) = (result, health, waitingStates)
    }

    /// The warnings as sentences.
    var sentences: [String] {
        [
            nothingAccepted, lateArrivals, generatorBuild, gatewayBuild, durability, lateStarts, busyGenerator,
            busyMachine,
        ].compactMap(
            \.self
        )
    }

    private var nothingAccepted: String? {
        guard result.achieved == 0, result.offered > 0 else { return nil }
        return "The gateway accepted nothing, so the result says nothing about latencies and losses."
    }

    /// A gateway that is behind has lost nothing.
    private var lateArrivals: String? {
        guard !waitingStates.isEmpty else { return nil }
        let stored = waitingStates.count { $0 == .stored }
        return """
            Lost notifications that the gateway still has to deliver: \(waitingStates.count) of \(result.lost). \
            Not sent yet: \(stored). Sent, and not acknowledged: \(waitingStates.count - stored). \
            Use a longer --drain or a lower --rate to see whether they arrive.
            """
    }

    private var generatorBuild: String? {
        #if DEBUG
        "The generator and the devices are a debug build, which needs several times the processor time."
        #else
        nil
        #endif
    }

    private var gatewayBuild: String? {
        health?.build == "debug" ? "The gateway is a debug build, which needs several times the processor time." : nil
    }

    private var durability: String? {
        guard health?.store == "memory" else { return nil }
        return "The gateway keeps notifications in memory: it syncs nothing to the disk, and a crash loses them."
    }

    private var lateStarts: String? {
        guard result.lateStarts * 100 > result.requests else { return nil }
        return
            "\(result.lateStarts) of \(result.requests) requests began late: the connections or the generator were busy."
    }

    private var busyGenerator: String? {
        let busySeconds = result.seconds.compactMap(\.generatorBusy).count { $0 > 0.9 }
        return busySeconds > 0 ? "A thread of the generator was busy for more than 90% of \(busySeconds) seconds." : nil
    }

    /// Other programs that need more than a fifth of the machine take it from the gateway.
    private var busyMachine: String? {
        let shares = result.seconds.compactMap(\.othersBusy)
        let busySeconds = shares.count { $0 > 0.2 }
        guard busySeconds * 10 > shares.count else { return nil }
        return "Other programs needed more than 20% of the machine in \(busySeconds) of \(shares.count) seconds."
    }
}
