import Testing
import UniversalLinks
import WaypostSchema

/// The findings of the check for whole files and for the apps that they name.
@Suite struct FileCheckTests {
    private static func file(app: String) -> String {
        #"{"applinks":{"details":[{"appIDs":["\#(app)"],"components":[{"/":"/x"}]}]}}"#
    }

    @Test(arguments: [
        CheckedFile(json: file(app: "ABCDE12345.com.example.clowntown")),
        CheckedFile(json: file(app: "TEAMID.com.example.clowntown"), says: placeholder),
        CheckedFile(json: file(app: "com.example.clowntown"), says: "\(badApp)ABCDE12345.com.example.clowntown"),
        CheckedFile(json: file(app: "clowntown"), says: "\(badApp)ABCDE12345.com.example.app"),
        CheckedFile(json: file(app: "."), says: "\(badApp)ABCDE12345.com.example.app"),
        CheckedFile(json: file(app: ""), says: "\(badApp)ABCDE12345.com.example.app"),
        CheckedFile(json: file(app: "https://apps.example/clowntown"), says: "\(badApp)ABCDE12345.com.example.app"),
        CheckedFile(json: file(app: "ABCDE12345.com.example.*"), says: "\(badApp)\(usable)"),
        CheckedFile(json: file(app: "<TEAM_ID>.com.example.clowntown"), says: placeholder),
        CheckedFile(json: file(app: "{{ team }}.com.example.clowntown"), says: placeholder),
        CheckedFile(json: file(app: "TEAMID.com.example.<app>"), says: "\(badApp)\(usable)"),
    ])
    func appsAreChecked(_ file: CheckedFile) {
        file.check()
    }

    @Test func charactersThatABundleIdentifierCannotHaveAreNamed() {
        let text = Self.file(app: "ABCDE12345.com.exa mple.‘clown’*")
        let message = AssociationCheck.findings(in: Array(text.utf8)).first?.message
        let characters = "a space, '‘' (U+2018), '’' (U+2019), '*'"
        #expect(message == "the bundle identifier 'com.exa mple.‘clown’*' cannot have \(characters)")
    }

    private static let badApp = "error badAppID details[0].appIDs[0] → "
    private static let usable = "letters, digits, '-', '_' and '.'"
    private static let placeholder = "warning placeholderTeamID details[0].appIDs[0] → the prefix of the signed app"

    @Test func findingsIncludeThoseOfTheParser() {
        let text = #"{"applinks":{"details":[{"appIDs":["A.b"],"components":[{"/":7}]}]}}"#
        let codes = AssociationCheck.findings(in: Array(text.utf8)).map(\.code)
        #expect(codes == [.placeholderTeamID, .wrongType])
    }

    @Test(arguments: ["", "{", "[]", "\u{1}", "null", "-----BEGIN PKCS7-----"])
    func invalidFileHasOneError(_ text: String) {
        #expect(AssociationCheck.findings(in: Array(text.utf8)).map(\.severity) == [.error])
    }

    @Test func fileSizeIsChecked() {
        let limit = AssociationFile.maximumSize
        let text = { (size: Int) in
            let empty = Clowntown.json([#"{"/":"/x","comment":""}"#]).utf8.count
            let comment = String(repeating: "x", count: size - empty)
            return Clowntown.json([#"{"/":"/x","comment":"\#(comment)"}"#])
        }
        let codes = { (size: Int) in AssociationCheck.findings(in: Array(text(size).utf8)).map(\.code) }
        #expect(codes(limit / 4 * 3) == [])
        #expect(codes(limit / 4 * 3 + 1) == [.nearlyTooLarge])
        #expect(codes(limit) == [.nearlyTooLarge])
        #expect(codes(limit + 1) == [.tooLarge])
        #expect(AssociationCheck.findings(in: Array(repeating: 0x20, count: 257 << 10)).map(\.code) == [.tooLarge])
    }

    @Test func moreThan500RulesAreAFinding() {
        let rules = (0..<501).map { #"{"/":"/\#($0)x"}"# }
        #expect(AssociationCheck.findings(in: Array(Clowntown.json(rules).utf8)).map(\.code) == [.tooManyRules])
        #expect(AssociationCheck.findings(in: Array(Clowntown.json(rules.dropLast()).utf8)).isEmpty)
    }

    @Test func findingsAreInTheOrderOfTheFile() {
        let text = Clowntown.json([#"{"/":"a**"}"#, #"{"?":{"x":1}}"#], otherMembers: #""apps":["x"],"#)
        let findings = AssociationCheck.findings(in: Array(text.utf8))
        #expect(findings.map(\.code) == [.appsNotEmpty, .noLeadingSlash, .doubleStar, .nonStringQueryItem])
        #expect(findings.map(\.column) == findings.map(\.column).sorted())
    }
}
