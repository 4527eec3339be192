import DeviceModel
import Highlights
import Testing
import WaypostSchema

/// URLs that are opened on a device: the app or the website, and the reason for each app.
@Suite struct OpenedLinkVectorTests {
    private static let features: Set = ["order", "installation", "source", "entry", "identifier", "page", "redirect"]

    @Test func everyFeatureHasCasesAndEachHasANote() throws {
        let vectors = try OpenedLinkVector.all()
        #expect(Set(vectors.map(\.feature)) == Self.features)
        #expect(vectors.allSatisfy { !$0.note.isEmpty && $0.source?.isEmpty != true })
    }

    @Test(arguments: try OpenedLinkVector.all())
    func urlOpensAtItsDestination(_ vector: OpenedLinkVector) throws {
        var device = try vector.device()
        let event = DeviceEvent.scene(.urlOpened(vector.url, from: vector.from, page: vector.page))
        let effects = device.go(through: event, at: OpenedLinkVector.opening)
        let opened = try #require(effects.openedURL)
        #expect(opened.destination == vector.destination, "\(opened.explanation)")
        #expect(opened.opened?.app == vector.opens)
        for piece in vector.explanationContains {
            #expect(opened.explanation.contains(piece), "\(opened.explanation)")
        }
        let apps = device.description.apps.map(\.bundleIdentifier)
        #expect(apps.filter { !device.activations(of: $0).isEmpty } == [vector.opens].compactMap(\.self))
    }

    @Test(arguments: try OpenedLinkVector.all())
    func everyAppHasItsReason(_ vector: OpenedLinkVector) throws {
        let decisions = try vector.device().linkDecisions(on: vector.url)
        #expect(decisions.compactMap(\.app?.rawValue) == vector.decisions.keys.sorted())
        for decision in decisions {
            let expected = try #require(vector.decisions[decision.app?.rawValue ?? ""])
            #expect(decision.reason == expected.reason, "\(decision.explanation)")
            #expect(decision.matched == (expected.reason == .matched))
            for piece in expected.explanationContains ?? [] {
                #expect(decision.explanation.contains(piece), "\(decision.explanation)")
            }
            let file = decision.file?.text(at: OpenedLinkVector.opening) ?? ""
            for piece in expected.fileContains ?? [] { #expect(file.contains(piece), "\(file)") }
        }
    }

    @Test(arguments: try OpenedLinkVector.all().filter { $0.due != nil })
    func expectedFilesAreDue(_ vector: OpenedLinkVector) throws {
        #expect(try vector.device().filesToCheck(at: OpenedLinkVector.opening) == vector.due)
    }
}
