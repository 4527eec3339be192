package import WaypostSchema

extension DeviceToken {
    /// The first digits of a long token, or all of a short one.
    package var shortText: String {
        rawValue.count <= 16 ? rawValue : rawValue.prefix(8) + "…"
    }
}
