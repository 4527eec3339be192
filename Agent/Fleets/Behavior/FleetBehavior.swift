package import WaypostSchema

/// The behavior of a fleet: groups of devices that behave alike, and the times at which many connect again.
package struct FleetBehavior: Sendable, Equatable {
    /// The name, for reports.
    package var name = "prompt"

    /// The description of every device, except for its name.
    package var device = DeviceDescription.clownTown

    /// The maximum number of notifications on a device; the user dismisses the older ones.
    package var maximumNotifications = 20

    /// The groups, whose shares are 1 together.
    package var groups = [FleetGroup()]

    /// The times at which many devices connect again.
    package var storms: [ReconnectStorm] = []

    /// Creates the behavior of devices that acknowledge everything at once.
    package init() {}

    /// Returns the index of the group of a device.
    ///
    /// The groups are spread over the fleet, so that its first devices are as mixed as all of them.
    ///
    /// - Parameter number: the number of the device, from 0.
    /// - Returns: the index of the group.
    package func groupIndex(ofDevice number: Int) -> Int {
        // The multiples of the golden ratio are spread evenly over a circle.
        let position = (Double(number) * 0.618_033_988_749_894_9).truncatingRemainder(dividingBy: 1)
        var sum = 0.0
        for (index, group) in groups.enumerated() {
            sum += group.share
            if position < sum { return index }
        }
        return groups.count - 1
    }
}

/// Devices that behave alike.
///
/// All times are in microseconds, and all shares from 0 to 1.
package struct FleetGroup: Sendable, Equatable {
    /// The name, for reports.
    package var name = "prompt"

    /// The share of the fleet.
    package var share = 1.0

    /// The minimum time from the arrival of a notification to its acknowledgement.
    var minimumAcknowledgementDelay = 0

    /// The maximum time from the arrival of a notification to its acknowledgement.
    var maximumAcknowledgementDelay = 0

    /// The share of acknowledgements that is never sent.
    var acknowledgementLoss = 0.0

    /// The share of notifications at which the device crashes before it acknowledges.
    var crashProbability = 0.0

    /// The time until a crashed device runs again.
    var restartDelay = 1_000_000

    /// The periods without a network.
    var offlinePeriods: Period?

    /// The share of notifications that the user opens.
    var openProbability = 0.0

    /// The time from the arrival of a notification to its opening.
    var openDelay = 0

    /// Whether a process of the app runs, which takes the activations of its scenes.
    var isAppRunning = true

    /// The connection to the gateway.
    var link = Link()

    /// A period that recurs.
    struct Period: Sendable, Equatable {
        /// The time from one beginning to the next.
        var interval: Int

        var length: Int
    }

    /// The connection of a device.
    struct Link: Sendable, Equatable {
        /// The time that bytes need in each direction.
        var delay = 0

        /// The share of segments that are lost at first.
        var loss = 0.0

        /// The bytes per second that the device reads, or `nil` for as many as come.
        var bandwidth: Int?

        /// The periods in which the device does not respond, although its connection stays open.
        var silentPeriods: Period?
    }
}

/// A time at which many devices lose their connections and connect again.
package struct ReconnectStorm: Sendable, Equatable {
    /// The time after the start, in microseconds.
    package var at: Int

    /// The share of the fleet.
    var share: Double

    /// The time over which these devices connect again, in microseconds.
    var spread: Int

    /// Creates the storm from its parts.
    package init(at: Int, share: Double, spread: Int) {
        (self.at, self.share, self.spread) = (at, share, spread)
    }
}

extension DeviceDescription {
    /// A device with one app, whose two scenes have different activation conditions.
    fileprivate static let clownTown = DeviceDescription(
        name: "device",
        apps: [
            AppDescription(
                bundleIdentifier: "com.example.clowntown",
                scenes: [
                    SceneSession(persistentIdentifier: "overview", state: .foregroundActive),
                    SceneSession(
                        persistentIdentifier: "crusty-detail",
                        state: .background,
                        activationConditions: ActivationConditions(
                            can: "SELF ENDSWITH '/crusty'",
                            prefers: "SELF ENDSWITH '/crusty'"
                        )
                    ),
                ]
            )
        ]
    )
}
