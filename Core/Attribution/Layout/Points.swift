/// A length in hundredths of a point: sums of them are exact, so that a layout is the same everywhere.
public struct Points: RawRepresentable, Sendable, Hashable {
    /// The hundredths of a point.
    public let rawValue: Int

    /// Creates a length of so many hundredths of a point.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}
