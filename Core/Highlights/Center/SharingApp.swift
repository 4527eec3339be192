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

    /// The association files that the app needs, sorted.
    let neededFiles: [AssociationRequest]

    /// Creates the value from its parts.
    public init(bundleIdentifier: BundleIdentifier, hasCapability: Bool, association: LinkAssociation?) {
        self.bundleIdentifier = bundleIdentifier
        self.hasCapability = hasCapability
        self.association = association
        neededFiles = association?.requiredFiles.sorted() ?? []
    }

    /// Returns whether every domain that the app needs was asked for its association file.
    func isLoaded(_ records: AssociationRecords) -> Bool {
        neededFiles.allSatisfy { records[$0]?.checkedAt != nil }
    }

    /// Returns the domains that the app needs and that were not asked for their association files yet, sorted.
    func uncheckedDomains(_ records: AssociationRecords) -> [String] {
        Set(neededFiles.filter { records[$0]?.checkedAt == nil }.map(\.domain)).sorted()
    }
}
