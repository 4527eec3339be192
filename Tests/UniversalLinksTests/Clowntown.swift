import UniversalLinks
import WaypostSchema

/// The app and the domain that most tests use, and association files of the domain for the app.
enum Clowntown {
    static let app: ApplicationIdentifier = "ABCDE12345.com.example.clowntown"
    static let domain = "clowntown.example"

    /// Returns a file whose one entry has the rules `components`, each as JSON, for the app.
    ///
    /// `otherMembers` contains members of `applinks` that precede `details`, each followed by a comma.
    static func json(_ components: [String], otherMembers: String = "") -> String {
        let rules = components.joined(separator: ",")
        return #"{"applinks":{\#(otherMembers)"details":[{"appIDs":["\#(app)"],"components":[\#(rules)]}]}}"#
    }

    /// Returns the matcher of such a file.
    static func matcher(_ components: String..., otherMembers: String = "") throws -> AssociationMatcher {
        try AssociationMatcher(json: json(components, otherMembers: otherMembers))
    }
}

extension AssociationFile {
    /// Parses the file with the text `json`.
    init(json: String) throws(AssociationFailure) {
        try self.init(Array(json.utf8))
    }
}

extension AssociationMatcher {
    /// Creates a matcher for the file with the text `json`.
    init(json: String) throws(AssociationFailure) {
        self.init(try AssociationFile(json: json))
    }

    /// Returns the outcome for the test app and a URL in the test domain.
    ///
    /// `rest` is the URL from its path on.
    func outcome(_ rest: String) -> LinkDecision.Outcome {
        decision(on: "https://" + Clowntown.domain + rest, for: Clowntown.app).outcome
    }
}
