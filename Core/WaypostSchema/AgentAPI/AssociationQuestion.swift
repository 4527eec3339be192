/// A question about an association file.
public struct AssociationQuestion: Codable, Sendable, Equatable {
    /// The content of the file.
    public var file: String

    /// The URLs to look up; none to check the file only.
    public var urls: [String]?

    /// Creates the value from its parts.
    public init(file: String, urls: [String]? = nil) {
        self.file = file
        self.urls = urls
    }
}
