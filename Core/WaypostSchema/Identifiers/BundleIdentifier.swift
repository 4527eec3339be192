internal import TextBasics

/// An app's bundle identifier, such as `com.example.clowntown`.
public struct BundleIdentifier: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension BundleIdentifier {
    /// Returns the hint for a bundle identifier that no app of a device has: the nearest one, or all.
    package func hint(among apps: [BundleIdentifier]) -> String {
        let names = apps.map(\.rawValue)
        if let nearest = rawValue.nearest(among: names) { return "did you mean '\(nearest)'?" }
        return names.isEmpty ? "it has no apps" : "its apps are \(names.joined(separator: ", "))"
    }
}
