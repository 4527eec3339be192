internal import NIOHTTP1
internal import UniversalLinks
internal import WaypostSchema

extension AssociationFailure {
    /// The codings of bodies that are undone.
    private static let codings = ["identity", "gzip", "deflate"]

    /// Checks that the head of an answer promises a file that a device reads.
    static func check(_ status: HTTPResponseStatus, _ headers: HTTPHeaders) throws(AssociationFailure) {
        if (300..<400).contains(status.code) { throw redirected(status, to: headers.first(name: "location")) }
        guard status == .ok else {
            let message = "the server answers with the status \(status.code); a device takes nothing but 200"
            throw AssociationFailure(code: .badStatus, message: message)
        }
        let coding = headers[canonicalForm: "content-encoding"].joined(separator: ", ")
        guard coding.isEmpty || codings.contains(coding.lowercased()) else {
            let message = "the server sends the file in the coding '\(coding.excerpt)'; serve it plainly or with gzip"
            throw AssociationFailure(code: .notJSON, message: message)
        }
        if let size = headers.first(name: "content-length").flatMap({ Int($0) }), size > AssociationFile.maximumSize {
            throw tooLarge(size)
        }
    }

    private static func redirected(_ status: HTTPResponseStatus, to location: String?) -> AssociationFailure {
        let target = location.map { "to \($0.excerpt)" } ?? "without saying where to"
        return AssociationFailure(
            code: .redirected,
            message:
                "the server redirects (\(status.code)) \(target); devices follow no redirect, so serve the file here"
        )
    }
}
