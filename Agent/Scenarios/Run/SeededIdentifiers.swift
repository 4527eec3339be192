internal import GatewayClient
internal import TextBasics
internal import WaypostSchema

/// Identifiers that follow from a seed, so that every run of a scenario has the same ones.
struct SeededIdentifiers: Sendable {
    private var generator: SeededRandom

    init(seed: Int) {
        generator = SeededRandom(seed: seed)
    }

    /// Returns the next identifier of a notification, a random UUID.
    mutating func next() -> NotificationID {
        let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return NotificationID(rawValue: UUIDString.make(bytes, version: 4))
    }
}
