/// A time in whole milliseconds since 1970 in UTC; a plain integer in JSON.
public struct Timestamp: RawRepresentable, Codable, Hashable, Comparable, Sendable {
    /// The milliseconds since 1970.
    public var rawValue: Int

    /// Creates the time `rawValue` milliseconds after the start of 1970.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Creates a time from milliseconds since 1970.
    public init(milliseconds: Int) {
        rawValue = milliseconds
    }

    /// The whole seconds since 1970, the unit of `expiration` in APNs.
    public var seconds: Int {
        rawValue / 1_000
    }

    /// The latest time that is accepted, so that sums of times never overflow.
    package static let endOfYear9999 = Self(milliseconds: 253_402_300_799_999)

    /// Returns the time that is later by a number of milliseconds.
    package func advanced(by milliseconds: Int) -> Self {
        Self(milliseconds: rawValue + milliseconds)
    }

    /// Returns whether `left` is before `right`.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}
