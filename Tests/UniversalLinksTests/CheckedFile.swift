import Testing
import UniversalLinks
import WaypostSchema

/// A file and the expected findings of the check: severity, code, place below `applinks`, and replacement.
struct CheckedFile: CustomTestStringConvertible {
    var json: String
    var remarks: [String]

    /// Creates a file with one entry that has `components`.
    init(_ components: String..., otherMembers: String = "", says remarks: String...) {
        json = Clowntown.json(components, otherMembers: otherMembers)
        self.remarks = remarks
    }

    /// Creates a file with one entry that has `paths`.
    init(paths: String..., says remarks: String...) {
        let rules = paths.joined(separator: ",")
        json = #"{"applinks":{"apps":[],"details":[{"appID":"\#(Clowntown.app)","paths":[\#(rules)]}]}}"#
        self.remarks = remarks
    }

    /// Creates a file with any contents.
    init(json: String, says remarks: String...) {
        self.json = json
        self.remarks = remarks
    }

    var testDescription: String { json }

    func check() {
        #expect(AssociationCheck.findings(in: Array(json.utf8)).map(Self.remark) == remarks)
    }

    private static func remark(_ finding: AssociationFinding) -> String {
        let place = finding.place.replacing("applinks.", with: "").replacing("details[0].components", with: "")
        let instead = finding.instead.map { " → \($0)" } ?? ""
        return "\(finding.severity.rawValue) \(finding.code.rawValue) \(place)\(instead)"
    }
}
