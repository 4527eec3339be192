internal import GatewayStore
internal import WaypostSchema

/// Those who follow the delivery log.
final class LogFollowers: Sendable {
    init() {}

    /// Tells those who follow a namespace's log that what it says of `sequences` has changed.
    func note(_ sequences: some Sequence<Int>, in namespace: Namespace) {}
}
