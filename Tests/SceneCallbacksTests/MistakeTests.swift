import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import SceneCallbacks

/// A line of `Tests/Vectors/callbacks/mistakes.jsonl`: an app that makes a mistake, and the app without it.
struct MistakeVector: Decodable, Sendable, CustomTestStringConvertible {
    var code: MistakeCode

    /// An event that shows the mistake, and the state before it.
    var cause: EventCause
    var state: InitialState

    /// The version of iOS that the mistake needs; absent for any.
    var system: Int?

    var broken: AppImplementation
    var corrected: AppImplementation

    /// A part of the message: the method to implement.
    var advice: String

    var testDescription: String { "\(code.rawValue), \(cause.rawValue), \(state.rawValue)" }

    static func all() throws -> [Self] {
        try Repository.lines(of: Repository.vectors.appending(path: "callbacks/mistakes.jsonl"))
            .map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }
}

/// Each mistake is found, and not in the app that corrects it.
@Suite struct MistakeTests {
    @Test(arguments: try MistakeVector.all())
    func mistakeIsFoundWithAndWithoutItsEvent(_ mistake: MistakeVector) {
        // A mistake that only one version of iOS shows is none without an event.
        #expect(mistake.broken.findings.map(\.code) == (mistake.system == nil ? [mistake.code] : []))
        let system = mistake.system ?? CallbackSequence.currentSystem
        let sequence = CallbackSequence(for: mistake.cause, in: mistake.state, of: mistake.broken, system: system)
        #expect(sequence.findings.map(\.code) == [mistake.code])
        #expect(sequence.findings.allSatisfy { $0.message.contains(mistake.advice) && $0.source.mark != .ours })
    }

    @Test(arguments: try MistakeVector.all()) func correctionHasNoFinding(_ mistake: MistakeVector) {
        #expect(mistake.corrected.findings.isEmpty)
    }

    @Test(arguments: [17, 18, 19])
    func bugOfOneVersionConcernsNoOther(_ system: Int) {
        let app = AppImplementation(lifeCycle: .swiftUI, views: [.onOpenURL])
        let findings = CallbackSequence(for: .universalLink, in: .notRunning, of: app, system: system).findings
        #expect(findings.map(\.code) == (system == 18 ? [.swiftUIColdLinkBug] : []))
    }

    @Test func everyCodeHasAVectorOrACase() throws {
        let codes = try MistakeVector.all().map(\.code) + DeclarationMistakeTests.cases.flatMap(\.codes)
        #expect(Set(codes) == Set(MistakeCode.allCases))
        #expect(Set(MistakeRule.all.map(\.code)) == Set(MistakeCode.allCases))
    }

    @Test(arguments: ReplacedMethod.all) func replacedMethodIsFound(_ row: ReplacedMethod) {
        let methods = SceneDelegateMethod.allCases.filter { $0 != row.new }
        let app = AppImplementation(appDelegate: [row.old], sceneDelegate: methods)
        let messages = app.findings.filter { $0.message.contains(Callback.app(row.old).signature) }
        #expect(messages.count == 1)
        #expect(messages.allSatisfy { $0.message.contains(Callback.scene(row.new).signature) })
    }

    /// A mistake that loses or doubles an event shows in its fate, too.
    @Test(
        arguments: [
            (.coldURLIgnored, .lost), (.coldLinkIgnored, .lost), (.coldQuickActionIgnored, .lost),
            (.coldShareIgnored, .lost), (.swiftUILinkInWrongPlace, .lost), (.swiftUIQuickAction, .lost),
            (.intentNeedsMultipleScenes, .lost), (.responseDeliveredTwice, .twice),
        ] as [(MistakeCode, EventFate)]
    )
    func fateOfTheEventIsThatOfTheMistake(_ code: MistakeCode, fate: EventFate) throws {
        let mistake = try #require(try MistakeVector.all().first { $0.code == code })
        #expect(CallbackSequence(for: mistake.cause, in: mistake.state, of: mistake.broken).fate == fate)
        #expect(CallbackSequence(for: mistake.cause, in: mistake.state, of: mistake.corrected).fate == .once)
    }

    /// A connected scene gets the event in a call, so that it is not lost there.
    @Test func coldMistakeDoesNotConcernAConnectedScene() {
        let app = AppImplementation(sceneDelegate: [.willConnect, .openURLContexts], reads: [])
        let sequence = CallbackSequence(for: .customURL, in: .background, of: app)
        #expect(sequence.findings.isEmpty)
        #expect(sequence.fate == .once)
    }
}
