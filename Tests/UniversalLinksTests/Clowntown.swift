import UniversalLinks
import WaypostSchema

/// The app and the domain of most tests, and files of the one for the other.
enum Clowntown {
    static let app: ApplicationIdentifier = "ABCDE12345.com.example.clowntown"
    static let domain = "clowntown.example"

    /// A file whose one entry has the rules `components` for the app, as they stand in a file.
    ///
    /// What is `beside` are members of `applinks` that stand before `details`, each with a comma behind it.
    static func text(_ components: [String], beside: String = "") -> String {
        let rules = components.joined(separator: ",")
        return #"{"applinks":{\#(beside)"details":[{"appIDs":["\#(app)"],"components":[\#(rules)]}]}}"#
    }

    /// The matcher of such a file.
    static func matcher(_ components: String..., beside: String = "") throws -> AssociationMatcher {
        try AssociationMatcher(json: text(components, beside: beside))
    }
}

extension AssociationFile {
    /// Reads the file that `json` is.
    init(json: String) throws(AssociationFailure) {
        try self.init(Array(json.utf8))
    }
}

extension AssociationMatcher {
    /// Makes the rules of the file ready that `json` is.
    init(json: String) throws(AssociationFailure) {
        self.init(try AssociationFile(json: json))
    }

    /// What the file says to the app of the tests of a URL, its domain left out: from its path on.
    func outcome(_ rest: String) -> LinkDecision.Outcome {
        decision(on: "https://" + Clowntown.domain + rest, for: Clowntown.app).outcome
    }
}
