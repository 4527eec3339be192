public import UniversalLinks
public import WaypostSchema

/// An app on the device, with the properties that matter for links from Messages.
public struct SharingApp: Sendable, Codable {
    /// The app's bundle identifier.
    public let bundleIdentifier: BundleIdentifier

    /// Whether the app has the Shared with You capability.
    public let hasCapability: Bool

    /// The app's side of its association with domains; `nil` if the app declares none.
    public let association: LinkAssociation?

    /// The domains whose association files the app needs, sorted.
    let neededDomains: [String]

    /// Creates the value from its parts.
    public init(bundleIdentifier: BundleIdentifier, hasCapability: Bool, association: LinkAssociation?) {
        self.bundleIdentifier = bundleIdentifier
        self.hasCapability = hasCapability
        self.association = association
        neededDomains = (association?.requiredFiles.keys.sorted()) ?? []
    }

    /// Returns whether every domain that the app needs was asked for its association file.
    func isLoaded(_ records: [String: AssociationRecord]) -> Bool {
        neededDomains.allSatisfy { records[$0]?.checkedAt != nil }
    }

    /// Returns the domains that the app needs and that were not asked for their association files yet, sorted.
    func uncheckedDomains(_ records: [String: AssociationRecord]) -> [String] {
        neededDomains.filter { records[$0]?.checkedAt == nil }
    }
}
