internal import JSONScanning
internal import WaypostSchema

/// The findings about a request for an attribution view, which are only in the answer to it.
extension AttributionFinding {
    /// Returns the finding that the display context was set too late, if the effects of a request say so.
    ///
    /// The rest of the request was carried out.
    static func findings(in effects: [DeviceEffect], _ preferences: AttributionPreferences) -> [Self] {
        effects.compactMap { effect in
            guard case .system(.eventIgnored(let ignored)) = effect, ignored.reason == .displayContextTooLate else {
                return nil
            }
            return AttributionFinding(
                code: .displayContextTooLate,
                field: "displayContext",
                message: """
                    the view is in a window already, so '\(preferences.displayContext.rawValue)' applies to the next \
                    window; set displayContext before the view is attached
                    """
            )
        }
    }

    /// Creates the finding about a key that nothing reads.
    ///
    /// The field of a preference is its path in the preferences, as in other findings.
    init(_ key: UnknownKey) {
        let path = key.place.isEmpty ? key.name : "\(key.place).\(key.name)"
        let prefix = "preferences."
        self.init(
            code: .unknownKey,
            field: path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path,
            message: "\(key.sentence); the rest of the request is carried out"
        )
    }
}
