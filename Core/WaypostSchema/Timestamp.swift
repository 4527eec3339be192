/// A moment, as whole milliseconds since 1970 in UTC; a plain integer in JSON.
public struct Timestamp: RawRepresentable, Codable, Hashable, Comparable, Sendable {
    /// Milliseconds since 1970.
    public var rawValue: Int

    /// Creates the moment `rawValue` milliseconds after 1970 began.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Creates a moment from milliseconds since 1970.
    public init(milliseconds: Int) {
        rawValue = milliseconds
    }

    /// The whole seconds since 1970, the unit of `expiration` in APNs.
    public var seconds: Int {
        rawValue / 1_000
    }

    /// Whether `left` is before `right`.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}
