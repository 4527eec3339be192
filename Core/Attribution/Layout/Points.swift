internal import WaypostSchema

/// A length in hundredths of a point; sums are exact, so a layout is the same everywhere.
public struct Points: RawRepresentable, Sendable, Hashable {
    /// The hundredths of a point.
    public let rawValue: Int

    /// Creates a length from a number of hundredths of a point.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Creates a length from a whole number of points.
    public init(_ points: Int) {
        self.init(rawValue: points * Self.hundredths)
    }

    /// Creates the largest length that is not greater than a number of points.
    ///
    /// It rounds down, so nothing becomes wider than requested.
    ///
    /// - Parameter points: a number from 0 to `AttributionPreferences.maximumLength`, as preferences have it. Numbers
    ///   outside of this range are clamped, and NaN becomes 0.
    public init(roundingDown points: Double) {
        let maximum = AttributionPreferences.maximumLength
        let bounded = points.isNaN ? 0 : min(max(points, 0), maximum)
        // 0.29 * 100 is 28.999...: treat a number with two decimals as it was written.
        let hundredths = Int((bounded * 100).rounded())
        self.init(rawValue: Double(hundredths) / 100 > bounded ? hundredths - 1 : hundredths)
    }

    /// The length 0.
    public static let zero = Points(0)

    /// The length in points.
    public var inPoints: Double { Double(rawValue) / Double(Self.hundredths) }

    /// Half of the length, rounded down.
    var half: Points { Points(rawValue: rawValue >> 1) }

    /// The number of units in a point.
    private static let hundredths = 100
}

extension Points: Comparable {
    /// Returns whether the first length is smaller than the second.
    public static func < (one: Points, other: Points) -> Bool { one.rawValue < other.rawValue }
}

extension Points {
    /// Returns the sum of two lengths.
    public static func + (one: Points, other: Points) -> Points {
        Points(rawValue: one.rawValue + other.rawValue)
    }

    /// Returns the difference of two lengths.
    public static func - (one: Points, other: Points) -> Points {
        Points(rawValue: one.rawValue - other.rawValue)
    }

    /// Returns a multiple of a length.
    public static func * (length: Points, count: Int) -> Points {
        Points(rawValue: length.rawValue * count)
    }

    /// Adds a length to another.
    public static func += (length: inout Points, more: Points) {
        length = length + more
    }
}

extension Points: CustomStringConvertible {
    /// The number of points in decimal notation, without trailing zeros: `12`, `12.5`, `-0.25`.
    public var description: String {
        let (whole, part) = rawValue.magnitude.quotientAndRemainder(dividingBy: UInt(Self.hundredths))
        let sign = rawValue < 0 ? "-" : ""
        switch part {
        case 0: return "\(sign)\(whole)"
        case let part where part.isMultiple(of: 10): return "\(sign)\(whole).\(part / 10)"
        case let part where part < 10: return "\(sign)\(whole).0\(part)"
        default: return "\(sign)\(whole).\(part)"
        }
    }
}
