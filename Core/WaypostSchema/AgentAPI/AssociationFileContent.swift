/// A domain's apple-app-site-association file as a device gets it, whether an app needs it or not.
public struct AssociationFileContent: Codable, Sendable, Equatable {
    /// The URL or the path of the file.
    public var source: String

    /// The contents, if the file was fetched and is UTF-8.
    public var file: String?

    /// The reason why the file could not be fetched.
    public var failure: AssociationFailure?

    /// Creates the value from its parts.
    public init(source: String, file: String? = nil, failure: AssociationFailure? = nil) {
        self.source = source
        self.file = file
        self.failure = failure
    }
}
