import Testing
import UniversalLinks
import WaypostSchema

/// A file, and what the check has to say of it: severity, code, the place below `applinks`, and what to write instead.
struct CheckedFile: CustomTestStringConvertible {
    var json: String
    var remarks: [String]

    /// A file of one entry with `components`.
    init(_ components: String..., beside: String = "", says remarks: String...) {
        json = Clowntown.text(components, beside: beside)
        self.remarks = remarks
    }

    /// A file of one entry with `paths`.
    init(paths: String..., says remarks: String...) {
        let rules = paths.joined(separator: ",")
        json = #"{"applinks":{"apps":[],"details":[{"appID":"\#(Clowntown.app)","paths":[\#(rules)]}]}}"#
        self.remarks = remarks
    }

    /// A file of any kind.
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
