/// The number of pushes that a device handles for an app in a period.
public struct PushBudget: Codable, Sendable, Equatable {
    /// The number.
    public var count: Int

    /// The period in hours.
    public var hours: Int

    /// The values that a period may have, up to a leap year.
    public static let allowedHours = 1...8_784

    /// Creates the value from its parts.
    public init(count: Int, hours: Int) {
        self.count = count
        self.hours = hours
    }

    /// Parses a budget.
    ///
    /// - Throws: `DecodingError` if the number is negative, or the period is not in `allowedHours`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let count = try container.decode(Int.self, forKey: .count)
        let hours = try container.decode(Int.self, forKey: .hours)
        guard count >= 0 else {
            let message = "must be at least 0"
            throw DecodingError.dataCorruptedError(forKey: .count, in: container, debugDescription: message)
        }
        guard Self.allowedHours.contains(hours) else {
            let message = "must be from \(Self.allowedHours.lowerBound) to \(Self.allowedHours.upperBound)"
            throw DecodingError.dataCorruptedError(forKey: .hours, in: container, debugDescription: message)
        }
        self.init(count: count, hours: hours)
    }
}
