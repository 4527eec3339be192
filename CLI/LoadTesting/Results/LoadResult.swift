package import Fleets
package import WaypostSchema

/// The result of a load test: what was offered, what arrived when, and what was lost.
///
/// Latencies begin at the time at which the schedule intended a notification, also if the generator or the gateway was
/// late: otherwise a gateway that stalls would also stall its own measurement.
package struct LoadResult: Codable, Sendable, Equatable {
    /// The version of this format.
    package var version = 1

    /// The run: its settings, the machine and the gateway.
    package var run: LoadRunDescription

    /// The time from the intended start to the response of the gateway.
    package var accepted: LatencySummary

    /// The time from the intended start to the arrival on the device.
    package var delivered: LatencySummary

    /// The time from the intended start to the response to the acknowledgement.
    package var acknowledged: LatencySummary

    /// The number of notifications that the schedule intended.
    package var offered = 0

    /// The number of notifications that the gateway accepted.
    package var achieved = 0

    /// The number of notifications that the schedule intended, per second.
    package var offeredRate = 0.0

    /// The number of notifications that the gateway accepted, per second until it had accepted the last one.
    package var achievedRate = 0.0

    /// The number of requests that the schedule intended.
    package var requests = 0

    /// The number of requests that began later than intended, by more than a millisecond.
    package var lateStarts = 0

    /// The number of accepted notifications that did not arrive on their device.
    package var lost = 0

    /// The number of arrivals of notifications that had arrived before.
    package var duplicated = 0

    /// The number of notifications that arrived after one that was sent only after they had been accepted.
    package var reordered = 0

    /// The identifiers of the first 1,000 lost notifications.
    package var lostIDs: [NotificationID] = []

    /// The number of accepted notifications that did not arrive as the gateway's rules say, by their final state:
    /// `collapsed`, `expired`, `dropped`.
    package var undelivered: [String: Int] = [:]

    /// The number of notifications that the gateway refused, or that got no response, by reason.
    package var errors: [String: Int] = [:]

    /// The seconds of the run, with those of the warm-up.
    package var seconds: [LoadSecond] = []

    /// The objectives, and whether they are met.
    package var objectives: [ObjectiveResult] = []

    /// The reasons why these figures are less certain, or differ from those of another machine.
    package var warnings: [String] = []

    /// Creates a result without any notifications.
    package init(run: LoadRunDescription) {
        self.run = run
        accepted = LatencySummary()
        delivered = LatencySummary()
        acknowledged = LatencySummary()
    }
}

/// The description of a load test and of the machine.
package struct LoadRunDescription: Codable, Sendable, Equatable {
    /// The name of the profile.
    package var name: String

    /// The time at which the measured part began.
    package var start: Timestamp

    /// The length of the measured part, in seconds.
    package var duration: Double

    /// The length of the part before it that was not counted, in seconds.
    package var warmUp: Double

    /// The settings in the words of the command line, such as `--rate` and `2000 per second`.
    package var settings: [Setting]

    /// The machine: cores, memory, operating system.
    package var machine: [Setting]

    /// The gateway: version, build, store, durability.
    package var gateway: [Setting]

    /// A name with its value, for people.
    package struct Setting: Codable, Sendable, Equatable {
        /// The name.
        package var name: String

        /// The value.
        package var value: String

        /// Creates the setting.
        package init(name: String, value: String) {
            (self.name, self.value) = (name, value)
        }
    }
}

/// A second of a load test.
package struct LoadSecond: Codable, Sendable, Equatable {
    /// The number of the second, from 0; negative during the warm-up.
    package var second: Int

    /// The number of notifications that the schedule intended.
    package var offered = 0

    /// The number of notifications that the gateway accepted.
    package var accepted = 0

    /// The number of notifications that arrived on their device.
    package var delivered = 0

    /// The number of acknowledgements to which the gateway responded.
    package var acknowledged = 0

    /// The number of notifications that the gateway refused, or that got no response.
    package var errors = 0

    /// The number of these errors, by reason.
    package var reasons: [String: Int] = [:]

    /// The number of notifications that were accepted and not yet acknowledged, at the end of the second.
    package var backlog = 0

    /// The number of connected devices at the end of the second.
    package var connected = 0

    /// The median latency to the arrival on the device in this second, in milliseconds; `nil` if nothing arrived.
    package var p50: Double?

    /// The 99th percentile of this latency.
    package var p99: Double?

    /// The largest such latency.
    package var max: Double?

    /// The measurements of the gateway; `nil` if it did not respond.
    package var gateway: GatewaySecond?

    /// The share of the generator's busiest thread that was busy, from 0 to 1.
    package var generatorBusy: Double?

    /// The share of the machine that other programs than this one and the gateway needed, from 0 to 1.
    package var othersBusy: Double?
}

/// A second of the gateway, as its `/metrics` say.
package struct GatewaySecond: Codable, Sendable, Equatable {
    /// The processor time, in cores: 1.5 is one and a half cores.
    package var cpu: Double

    /// The resident memory, in bytes.
    package var memory: Int

    /// The mean time of a sync to the disk, in milliseconds; `nil` if there was none.
    package var sync: Double?

    /// The lengths of the gateway's queues, by name.
    package var queues: [String: Int]
}

/// Whether an objective of a load test is met.
package struct ObjectiveResult: Codable, Sendable, Equatable {
    /// The objective, such as `delivered.p99<50ms`.
    package var objective: String

    /// The measured value, such as `12.4ms`.
    package var actual: String

    /// Whether the value meets it.
    package var isMet: Bool
}
