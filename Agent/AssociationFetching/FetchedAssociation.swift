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

    /// The time that a copy was in caches, in seconds, as the server sends it.
    var age: String?

    /// The date of the file, as the server sends it.
    var lastModified: String?

    /// The usual content types: the documented one, the one that large sites send instead, and that of signed files.
    private static let usualTypes = ["application/json", "application/octet-stream", "application/pkcs7-mime"]

    /// The content type in lower case without its parameters, or `nil` if there is none.
    var mediaType: String? {
        contentType.map { type in type.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" } }
    }

    /// The finding about the content type, or `nil` if it is a usual one or absent.
    package var contentTypeFinding: AssociationFinding? {
        guard let contentType, let mediaType, !Self.usualTypes.contains(mediaType) else { return nil }
        let message = "the server sends the file as '\(contentType.safe(for: .excerpt))'"
        return .ofServer(.warning, .contentType, message, instead: "application/json")
    }
}
