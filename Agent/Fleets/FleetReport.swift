package import WaypostSchema

/// The report about a run of a fleet.
package struct FleetReport: Codable, Sendable, Equatable {
    /// The number of devices.
    package var devices: Int

    /// The number of streams that were open at the end.
    package var connected: Int

    /// The number of streams that were never open, of those that the devices need.
    package var unreached: Int

    /// The number of notifications that arrived for the first time.
    package var received: Int

    /// The number of notifications that left their inbox because a device acknowledged them.
    package var acknowledged: Int

    /// The number of accepted notifications that never arrived; `nil` if the gateway keeps no log to compare with.
    package var lost: Int?

    /// The number of arrivals of notifications that had arrived before.
    package var duplicated: Int

    /// The number of notifications for an app that the device does not have.
    package var discarded: Int

    /// The number of notifications that the users opened.
    package var opened: Int

    /// The number of streams that were opened.
    package var connections: Int

    /// The number of attempts to connect that failed, and of streams that the gateway or the network ended.
    package var interruptions: Int

    /// The number of crashes that the behavior asks for.
    package var crashes: Int

    /// The number of acknowledgements that were not sent because the behavior asks for it.
    package var lostAcknowledgements: Int

    /// The number of events of streams that could not be read.
    package var unreadable: Int

    /// The first 1,000 lost notifications.
    package var lostIDs: [NotificationID]

    /// The time from an attempt to connect to the open stream.
    package var connecting: LatencySummary

    /// The time from the arrival of a notification to the answer to its acknowledgement.
    package var acknowledging: LatencySummary

    /// The time of the run, in seconds.
    package var seconds: Double

    private static let maximumLostIDs = 1_000

    /// Creates the report.
    ///
    /// - Parameters:
    ///   - settings: the settings of the fleet.
    ///   - snapshot: the state of the fleet at its end.
    ///   - lost: the lost notifications, or `nil` if that is not known.
    ///   - seconds: the time of the run.
    package init(_ settings: FleetSettings, _ snapshot: Fleet.Snapshot, lost: [NotificationID]?, seconds: Double) {
        let counts = snapshot.counts
        devices = settings.devices
        connected = counts.connected
        unreached = settings.credentials - counts.everConnected
        received = counts.received
        acknowledged = counts.acknowledged
        self.lost = lost?.count
        duplicated = counts.duplicated
        discarded = counts.discarded
        opened = counts.opened
        connections = counts.connections
        interruptions = counts.interruptions
        crashes = counts.crashes
        lostAcknowledgements = counts.lostAcknowledgements
        unreadable = counts.unreadable
        lostIDs = Array((lost ?? []).prefix(Self.maximumLostIDs))
        connecting = LatencySummary(snapshot.connectionTimes)
        acknowledging = LatencySummary(snapshot.acknowledgementTimes)
        self.seconds = seconds
    }
}
