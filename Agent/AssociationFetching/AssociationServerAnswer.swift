internal import UniversalLinks
internal import WaypostSchema

/// The answer of a server to a request for an association file.
struct AssociationServerAnswer: Sendable {
    /// The URL of the file.
    let source: String

    /// The file, or the reason why there is none.
    let outcome: Result<FetchedAssociation, AssociationFailure>

    /// The file, or the reason why a device cannot use the answer.
    var usableFile: Result<FetchedAssociation, AssociationFailure> {
        outcome.flatMap { file in
            if file.isWebPage { return .failure(.webPage) }
            do throws(AssociationFailure) {
                _ = try AssociationFile(file.bytes)
                return .success(file)
            } catch {
                return .failure(error)
            }
        }
    }
}

extension AssociationFailure {
    /// The failure for a web page instead of a file.
    static let webPage = AssociationFailure(
        code: .notJSON,
        message: "the server answers with a web page, often the fallback of a single-page app, or a login page"
    )
}
