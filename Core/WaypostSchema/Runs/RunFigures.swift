/// The figures of a second of a load test or a fleet.
public struct RunFigures: Codable, Sendable, Equatable {
    /// The number of the second, from 0; negative during a warm-up.
    public var second: Int

    /// The figures by name.
    public var values: [String: Double]

    /// Creates the value from its parts.
    public init(second: Int, values: [String: Double]) {
        self.second = second
        self.values = values
    }
}
