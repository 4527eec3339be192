internal import UniversalLinks
package import WaypostSchema

/// An apple-app-site-association file, as it came.
package struct FetchedAssociation: Sendable, Equatable {
    /// What the file holds, which was not looked at yet.
    package let bytes: [UInt8]

    /// The URL or the path that it is from.
    package let source: String

    /// The content type that the server gives; `nil` where it gives none, and for a local file.
    package var contentType: String?

    /// The content types that files are served with: the documented one, what large sites send instead, signed files'.
    private static let usualTypes = ["application/json", "application/octet-stream", "application/pkcs7-mime"]

    /// What there is to say of the content type; `nil` where it is a usual one or there is none.
    package var contentTypeFinding: AssociationFinding? {
        guard let contentType else { return nil }
        let mediaType = contentType.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        guard !Self.usualTypes.contains(mediaType) else { return nil }
        return AssociationFinding(
            severity: .warning,
            code: .contentType,
            place: "",
            line: 1,
            column: 1,
            message: "the server sends the file as '\(contentType.excerpt)'",
            instead: "application/json"
        )
    }
}
