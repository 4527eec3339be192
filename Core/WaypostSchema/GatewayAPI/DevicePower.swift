/// A device's report about its power.
public struct DevicePower: Codable, Sendable, Equatable {
    /// Whether notifications of priority 5 and 1 must wait, because power is low.
    public var constrained: Bool

    /// Creates the value from its parts.
    public init(constrained: Bool) {
        self.constrained = constrained
    }
}
