import Foundation
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// The files of real domains beside the checkout.
///
/// Each is parsed and evaluated, with no assumption about its contents.
@Suite(.enabled(if: Repository.sharedCases != nil))
struct SharedAssociationFileTests {
    private static func files() throws -> [URL] {
        guard let folder = Repository.sharedCases?.appending(path: "association-files") else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
    }

    private static let urls = [
        "https://clowntown.example", "https://clowntown.example/", "https://clowntown.example/app/42?id=7&id=8#x",
        "https://clowntown.example/%C3%A9/%", "https://clowntown.example//a//b/?=&&a#", "clowntown", "",
    ]

    @Test(arguments: try files())
    func jsonFileHasEntriesOrFindings(_ url: URL) throws {
        let bytes = try Array(Data(contentsOf: url))
        let isObject = (try? JSONSerialization.jsonObject(with: Data(bytes))) is [String: Any]
        do throws(AssociationFailure) {
            let file = try AssociationFile(bytes)
            #expect(!file.entries.isEmpty || !file.findings.isEmpty)
        } catch {
            #expect(!isObject, "\(error)")
        }
    }

    @Test(arguments: try files(), urls)
    func everyAppGetsADecision(_ url: URL, _ text: String) throws {
        guard let file = try? AssociationFile(Array(Data(contentsOf: url))) else { return }
        let decisions = AssociationMatcher(file).decisions(on: text, tracing: true)
        #expect(!decisions.isEmpty)
        for decision in decisions {
            #expect(decision.matched == (decision.reason == .matched))
            #expect((decision.rule == nil) == (decision.outcome == .noMatch))
            #expect(!decision.explanation.isEmpty)
        }
    }

    @Test(arguments: try files())
    func everyRuleSurvivesPrintingAndParsing(_ url: URL) throws {
        guard let file = try? AssociationFile(Array(Data(contentsOf: url))) else { return }
        for rule in file.entries.flatMap(\.value.rules) {
            #expect(try LinkRule(rule.value.description) == rule.value, "\(rule.path)")
        }
    }
}
