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
        CheckedFile(json: file(app: "com.example.clowntown"), says: badApp),
        CheckedFile(json: file(app: "clowntown"), says: badApp),
        CheckedFile(json: file(app: "."), says: badApp),
        CheckedFile(json: file(app: ""), says: badApp),
        CheckedFile(json: file(app: "*"), says: badApp),
        CheckedFile(json: file(app: "https://apps.example/clowntown"), says: badApp),
        CheckedFile(json: file(app: "ABCDE12345.com.example.*"), says: badApp),
        CheckedFile(json: file(app: "ABCDE12345.*"), says: badApp),
        CheckedFile(json: file(app: "*.com.example.clowntown"), says: badApp),
        CheckedFile(json: file(app: "ABCDE12345.com.example.clown town"), says: badApp),
        CheckedFile(json: file(app: "ABCDE12345.com.example.clown+town"), says: badApp),
        CheckedFile(json: file(app: "ABCDE12345.com.example.clown_town")),
        CheckedFile(json: file(app: "clowntowns.example.app"), says: badApp),
        CheckedFile(json: file(app: "HOGE.com.example.clowntown"), says: placeholder),
        CheckedFile(json: file(app: "ABCDE12345com.example.clowntown"), says: placeholder),
        CheckedFile(json: file(app: "$(TeamIdentifierPrefix)com.example.clowntown"), says: placeholder),
        CheckedFile(json: file(app: "<TEAM_ID>.com.example.clowntown"), says: placeholder),
        CheckedFile(json: file(app: "{{ team }}.com.example.clowntown"), says: placeholder),
        CheckedFile(json: file(app: "TEAMID.com.example.<app>"), says: badApp),
    ])
    func appsAreChecked(_ file: CheckedFile) {
        file.check()
    }

    @Test(arguments: [
        (" ABCDE12345.com.example.clowntown", FindingSeverity.error), ("ABCDE12345.com.example.clowntown ", .error),
        ("ABCDE12345.com.example.clowntown\\n", .error), ("ABCDE12345.com.example.clowntown\\u200b", .error),
        ("ABCDE12345. com.example.clowntown", .error), ("ABCDE 12345.com.example.clowntown", .error),
        ("ABCDE12345..com.example.clowntown", .error), ("ABCDE12345.com.example.clowntown.", .error),
        ("ABCDE12345+com.example.clowntown", .error), ("ABCDE12345 com.example.clowntown", .error),
        ("ABCDE12345_com.example.clowntown", .error), ("ABCDE12345:com.example.clowntown", .error),
        ("abcde12345.com.example.clowntown", .warning), ("Abcde12345.com.example.clowntown", .warning),
    ])
    func identifierThatIsOnlyMisspelledIsCorrected(_ app: String, _ severity: FindingSeverity) {
        let findings = AssociationCheck.findings(in: Array(Self.file(app: app).utf8))
        #expect(findings.map(\.severity) == [severity])
        #expect(findings.map(\.instead) == [#""ABCDE12345.com.example.clowntown""#])
    }

    @Test func correctedIdentifierKeepsAnUnusualPrefix() {
        let findings = AssociationCheck.findings(in: Array(Self.file(app: " HOGE.com.example.clowntown").utf8))
        #expect(findings.map(\.code) == [.badAppID])
        #expect(findings.map(\.instead) == [#""HOGE.com.example.clowntown""#])
    }

    @Test(
        arguments: [
            ("ABCDE12345.com.example.clowntown", nil, nil),
            ("FGHIJ67890.com.example.clowntown", "which has another prefix", nil),
            ("ABCDE12345.com.example.ClownTown", "which differs in case, and case counts", nil),
            ("com.example.clowntown", "which lacks the prefix", clowntown),
            ("ABCDE12345.com.example.*", "whose * stands for nothing: a file names each app", clowntown),
            ("ABCDE12345.com.example.clowntown.preview", "", nil),
        ] as [(String, String?, String?)]
    )
    func fileThatDoesNotNameTheAppHasAnErrorWithTheNearestIdentifier(
        _ identifier: String,
        _ difference: String?,
        _ instead: String?
    ) {
        let app = Clowntown.app
        let findings = AssociationCheck.findings(in: Array(Self.file(app: identifier).utf8), for: app)
            .filter { $0.code == .appNotInFile }
        let nearest = difference.map { $0.isEmpty ? "" : ", but one for '\(identifier)', \($0)" }
        #expect(findings.map(\.message) == (nearest.map { ["the file has no entry for \(app)\($0)"] } ?? []))
        #expect(findings.allSatisfy { $0.severity == .error && $0.instead == instead })
        let place = difference == "" ? "" : "applinks.details[0].appIDs[0]"
        #expect(findings.allSatisfy { $0.place == place })
    }

    @Test(arguments: ["{}", #"{"applinks":{}}"#])
    func fileThatNamesNoAppDoesNotNameTheApp(_ text: String) {
        let findings = AssociationCheck.findings(in: Array(text.utf8), for: Clowntown.app)
        #expect(findings.contains { $0.code == .appNotInFile && $0.place.isEmpty && $0.instead == nil })
    }

    @Test func fileThatCannotBeReadHasNoFindingAboutTheApp() {
        #expect(AssociationCheck.findings(in: Array("{".utf8), for: Clowntown.app).map(\.code) == [.notJSON])
    }

    @Test(
        arguments: [
            ("ABCDE12345.com.example.clowntown", nil), ("HOGE.com.example.clowntown", nil),
            (
                "com.example.clowntown",
                """
                'com.example.clowntown' has no prefix: it is only a bundle identifier; write it as in \
                ABCDE12345.com.example.clowntown
                """
            ),
            (
                "ABCDE12345+com.example.clowntown",
                """
                the prefix 'ABCDE12345+com' cannot have '+'; it has ten capital letters or digits; did you mean \
                'ABCDE12345.com.example.clowntown'?
                """
            ),
        ] as [(ApplicationIdentifier, String?)]
    )
    func identifierThatNoAppCanHaveHasAProblem(_ app: ApplicationIdentifier, _ problem: String?) {
        #expect(AssociationCheck.problem(with: app) == problem)
    }

    @Test func charactersThatABundleIdentifierCannotHaveAreNamed() {
        let text = Self.file(app: "ABCDE12345.com.exa mple.‘clown’*")
        let message = AssociationCheck.findings(in: Array(text.utf8)).first?.message
        let characters = "a space, '‘' (U+2018), '’' (U+2019), '*'"
        let advice = "use letters, digits, '-', '_' and '.'"
        #expect(message == "the bundle identifier 'com.exa mple.‘clown’*' cannot have \(characters); \(advice)")
    }

    private static let badApp = "error badAppID details[0].appIDs[0]"
    private static let placeholder = "warning placeholderTeamID details[0].appIDs[0]"
    private static let clowntown = #""ABCDE12345.com.example.clowntown""#

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
