public import UniversalLinks
public import WaypostSchema

/// An app on the device, as far as links from Messages are concerned.
public struct SharingApp: Sendable, Codable {
    /// The app.
    public let bundleIdentifier: BundleIdentifier

    /// Whether it has the Shared with You capability.
    public let hasCapability: Bool

    /// Its half of the association with domains; `nil` where it names none.
    public let association: LinkAssociation?

    /// The domains whose files it needs, sorted.
    let neededDomains: [String]

    /// Creates the value from its parts.
    public init(bundleIdentifier: BundleIdentifier, hasCapability: Bool, association: LinkAssociation?) {
        self.bundleIdentifier = bundleIdentifier
        self.hasCapability = hasCapability
        self.association = association
        neededDomains = (association?.neededFiles.keys.sorted()) ?? []
    }

    /// Whether every domain whose file the app needs was asked for it.
    func isLoaded(_ records: [String: AssociationRecord]) -> Bool {
        neededDomains.allSatisfy { records[$0]?.checkedAt != nil }
    }

    /// The domains whose files the app needs and that were not asked yet, sorted.
    func unaskedDomains(_ records: [String: AssociationRecord]) -> [String] {
        neededDomains.filter { records[$0]?.checkedAt == nil }
    }
}
