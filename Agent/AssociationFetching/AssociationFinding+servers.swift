internal import WaypostSchema

extension AssociationFinding {
    /// Returns a finding about the answer of a server, which has no place in the file.
    static func ofServer(
        _ severity: FindingSeverity,
        _ code: Code,
        _ message: String,
        instead: String? = nil
    ) -> Self {
        Self(severity: severity, code: code, place: "", line: 1, column: 1, message: message, instead: instead)
    }
}
