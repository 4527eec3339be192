/// The counts of what happened to the devices of a fleet.
package struct FleetCounts: Sendable, Equatable {
    /// The open streams.
    package var connected = 0

    /// The credentials that have opened a stream at least once.
    package var everConnected = 0

    /// The streams that were opened.
    package var connections = 0

    /// The attempts to connect that failed, and the streams that the gateway ended.
    package var interruptions = 0

    /// The notifications that arrived for the first time.
    package var received = 0

    /// The arrivals of notifications that had arrived before.
    package var duplicated = 0

    /// The notifications for an app that the device does not have.
    package var discarded = 0

    /// The notifications that left the inbox because of an acknowledgement.
    package var acknowledged = 0

    /// The acknowledgements that were never sent, as the behavior says.
    package var lostAcknowledgements = 0

    /// The crashes, as the behavior says.
    package var crashes = 0

    /// The notifications that were opened.
    package var opened = 0

    /// The events of the stream that could not be read.
    package var unreadable = 0

    /// Adds other counts.
    package mutating func add(_ other: Self) {
        connected += other.connected
        everConnected += other.everConnected
        connections += other.connections
        interruptions += other.interruptions
        received += other.received
        duplicated += other.duplicated
        discarded += other.discarded
        acknowledged += other.acknowledged
        lostAcknowledgements += other.lostAcknowledgements
        crashes += other.crashes
        opened += other.opened
        unreadable += other.unreadable
    }
}
