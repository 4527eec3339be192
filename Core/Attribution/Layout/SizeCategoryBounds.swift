internal import WaypostSchema

/// The smallest and the largest text size that an app allows.
struct SizeCategoryBounds {
    let minimum: ContentSizeCategory?
    let maximum: ContentSizeCategory?

    init(_ preferences: AttributionPreferences) {
        minimum = preferences.minimumContentSizeCategory
        maximum = preferences.maximumContentSizeCategory
    }

    /// Returns the effective text size: `category`, raised to the minimum, then lowered to the maximum.
    func category(preferring category: ContentSizeCategory) -> ContentSizeCategory {
        let raisedCategory = minimum.map { $0.isLarger(than: category) ? $0 : category } ?? category
        return maximum.map { raisedCategory.isLarger(than: $0) ? $0 : raisedCategory } ?? raisedCategory
    }

    /// The finding about bounds that contradict each other; `nil` if they do not.
    var finding: AttributionFinding? {
        guard let minimum, let maximum, minimum.isLarger(than: maximum) else { return nil }
        return AttributionFinding(
            code: .minimumAboveMaximum,
            field: "minimumContentSizeCategory",
            message: """
                The minimum \(minimum.rawValue) is larger than the maximum \(maximum.rawValue), so text is always \
                \(maximum.rawValue); a minimum up to \(maximum.rawValue) is accepted.
                """
        )
    }
}

extension ContentSizeCategory {
    /// Returns whether the text is larger than in another category.
    func isLarger(than other: ContentSizeCategory) -> Bool { TextScale(self).size > TextScale(other).size }
}
