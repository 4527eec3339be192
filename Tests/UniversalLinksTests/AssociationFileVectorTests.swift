import Foundation
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// Whole association files: everything that a check finds in them, and their decisions about URLs.
@Suite struct AssociationFileVectorTests {
    /// The kinds of findings that no file of the vectors has.
    ///
    /// A check of a file alone has no server, no content type and no app, and a file with many rules or findings would
    /// be long.
    private static let kindsWithoutAFile: Set<AssociationFinding.Code> = [
        .contentType, .moreFindings, .appNotInFile, .tooManyRules, .webPage, .originFailed, .fetcherRefused,
        .fetcherDiffers, .cdnFailed, .cdnDiffers,
    ]

    /// URLs that files and rules are rarely written for.
    private static let oddURLs = [
        "https://clowntown.example", "https://clowntown.example/%C3%A9/%", "https://clowntown.example//a//?=&&a#",
        "clowntown", "",
    ]

    @Test func everyFileHasItsFindings() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: AssociationFileVector.folder.path)
        let files = Set(names.filter { $0.hasSuffix(".json") })
        #expect(files.count >= 15)
        #expect(try Set(AssociationFileVector.all().map(\.file)) == files)
    }

    @Test func everyKindOfFindingOccurs() throws {
        let found = try AssociationFileVector.all().flatMap(\.findings)
        let kinds = Set(AssociationFinding.Code.allCases).subtracting(Self.kindsWithoutAFile)
        #expect(kinds.filter { kind in !found.contains { $0.contains(" \(kind.rawValue)") } }.isEmpty)
    }

    @Test(arguments: try AssociationFileVector.all())
    func fileHasTheExpectedFindings(_ example: AssociationFileVector) throws {
        let findings = AssociationCheck.findings(in: try example.bytes()).map { finding in
            let place = finding.place.isEmpty ? "" : " \(finding.place)"
            return "\(finding.line) \(finding.severity.rawValue) \(finding.code.rawValue)\(place)"
        }
        #expect(findings == example.findings)
    }

    @Test(arguments: try AssociationFileVector.all())
    func fileIsReadOrRefused(_ example: AssociationFileVector) throws {
        let bytes = try example.bytes()
        do throws(AssociationFailure) {
            let file = try AssociationFile(bytes)
            #expect(example.refused == nil)
            #expect(file.otherServices == example.services ?? [:])
            #expect(!file.entries.isEmpty || !file.findings.isEmpty)
        } catch {
            #expect(error.code == example.refused)
        }
    }

    @Test(arguments: try AssociationDecisionVector.all())
    func urlHasTheExpectedDecision(_ example: AssociationDecisionVector) throws {
        let matcher = AssociationMatcher(try AssociationFileVector.parsed(example.file))
        let decision = matcher.decision(on: example.url, for: example.app, domain: Clowntown.domain)
        #expect(decision.reason == example.reason)
        #expect(decision.place == example.place)
        #expect(decision.matched == (example.reason == .matched))
    }

    @Test(arguments: try AssociationFileVector.read(), oddURLs)
    func everyAppGetsADecisionWithItsReason(_ example: AssociationFileVector, _ url: String) throws {
        let decisions = AssociationMatcher(try example.parsed()).decisions(on: url, tracing: true)
        #expect(!decisions.isEmpty)
        for decision in decisions {
            #expect(decision.matched == (decision.reason == .matched))
            #expect((decision.rule == nil) == (decision.outcome == .noMatch))
            #expect(!decision.explanation.isEmpty)
        }
    }

    @Test(arguments: try AssociationFileVector.read())
    func everyRuleSurvivesPrintingAndParsing(_ example: AssociationFileVector) throws {
        for rule in try example.parsed().entries.flatMap(\.value.rules) {
            #expect(try LinkRule(rule.value.description) == rule.value, "\(rule.path)")
        }
    }
}
