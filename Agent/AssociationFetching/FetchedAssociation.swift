internal import TextBasics
internal import UniversalLinks
package import WaypostSchema

/// An apple-app-site-association file as fetched.
package struct FetchedAssociation: Sendable, Equatable {
    /// The contents of the file, not yet checked.
    package let bytes: [UInt8]

    /// The URL or the path of the file.
    package let source: String

    /// The content type from the server, or `nil` if it sends none or the file is local.
    package var contentType: String?

    /// The usual content types: the documented one, the one that large sites send instead, and that of signed files.
    private static let usualTypes = ["application/json", "application/octet-stream", "application/pkcs7-mime"]

    /// The finding about the content type, or `nil` if it is a usual one or absent.
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
            message: "the server sends the file as '\(contentType.safe(for: .excerpt))'",
            instead: "application/json"
        )
    }
}
