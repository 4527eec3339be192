import JSONScanning
import SceneCallbacks
import SchemaFiles
import Testing
import WaypostSchema

@testable import Scenarios

/// The comparison of the calls that a step expects with the actual ones.
@Suite struct CallbackExpectationTests {
    /// An app that reads the activities that a scene connects for.
    private static let app = AppImplementation(
        sceneDelegate: [.willConnect, .continueUserActivity],
        reads: [.userActivities]
    )

    /// An app that loses a link that connects a scene.
    private static let brokenApp = AppImplementation(sceneDelegate: [.willConnect, .continueUserActivity], reads: [])

    /// Returns the differences between an expectation and the calls for a cause in an app that does not run.
    private static func findings(
        _ expectation: String,
        by cause: EventCause = .universalLink,
        of app: AppImplementation = app
    ) throws -> Findings {
        let expectation = try DocumentDecoder.decode(Expectation.self, from: expectation.utf8)
        var findings = Findings()
        findings.compare(expectation, with: CallbackSequence(for: cause, in: .notRunning, of: app))
        return findings
    }

    @Test(arguments: [
        #"{"deliveries": ["scene(_:willConnectTo:options:) connectionOptions.userActivities"]}"#,
        #"{"deliveries": ["scene(_:willConnectTo:options:)"]}"#,
        #"{"deliveries": ["scene.willConnect"]}"#,
        #"{"calls": ["scene.willConnect", "sceneDidBecomeActive(_:)"]}"#,
        #"{"calls": ["app.didFinishLaunching", "scene.willConnect", "scene.willEnterForeground"]}"#,
        #"{"notCalled": ["scene(_:continue:)", "scene.openURLContexts"]}"#,
        #"{"notCalled": ["scene(_:willConnectTo:options:) connectionOptions.urlContexts"]}"#,
        #"{"findings": []}"#, #"{"minimumSource": "documented"}"#, #"{"scene": "overview"}"#,
    ])
    func expectationIsMet(_ expectation: String) throws {
        #expect(try Self.findings(expectation) == Findings())
    }

    @Test(arguments: [
        (#"{"deliveries": []}"#, "deliveries"),
        (#"{"deliveries": ["scene.continueUserActivity"]}"#, "deliveries"),
        (#"{"deliveries": ["scene.willConnect", "scene.willConnect"]}"#, "deliveries"),
        (#"{"deliveries": ["scene(_:willConnectTo:options:) connectionOptions.urlContexts"]}"#, "deliveries"),
        (#"{"calls": ["scene.didBecomeActive", "scene.willConnect"]}"#, "calls"),
        (#"{"calls": ["scene.willConnect", "scene.willConnect"]}"#, "calls"),
        (#"{"notCalled": ["scene.continueUserActivity", "scene.willConnect"]}"#, "notCalled"),
        (#"{"findings": ["coldLinkIgnored"]}"#, "findings"),
    ])
    func expectationIsNotMet(_ expectation: String, _ field: String) throws {
        #expect(try Self.findings(expectation).differences.map(\.field) == [field])
    }

    @Test(
        arguments: [
            (.documented, false), (.observed, false), (.inferred, true), (.ours, true),
        ] as [(SourceMark, Bool)]
    )
    func deliveryThatIsInferredHasNoBetterSource(_ minimum: SourceMark, _ isMet: Bool) throws {
        let expectation = #"{"minimumSource": "\#(minimum.rawValue)"}"#
        let differences = try Self.findings(expectation, by: .widgetActivity).differences
        #expect(differences.isEmpty == isMet)
        #expect(differences.allSatisfy { $0.replacement == ["inferred"] })
    }

    @Test(arguments: [
        #"{"notCalled": ["app.didDecodeRestorableState"]}"#,
        #"{"calls": ["app.didDecodeRestorableState"]}"#,
    ])
    func callUnderConditionIsNotMadeInTheOrdinaryCase(_ expectation: String) throws {
        let app = AppImplementation(lifeCycle: .appDelegate)
        #expect(try Self.findings(expectation, by: .icon, of: app) == Findings())
    }

    @Test func failureShowsTheActualCallsAndTheirSequence() throws {
        let expectation = #"{"deliveries": ["scene.willConnect"], "findings": []}"#
        let findings = try Self.findings(expectation, of: Self.brokenApp)
        #expect(findings.differences.map(\.field) == ["deliveries", "findings"])
        #expect(findings.differences.map(\.actual) == ["none", "coldLinkIgnored"])
        #expect(findings.differences.map(\.replacement) == [[], ["coldLinkIgnored"]])
        let sequence = CallbackSequence(for: .universalLink, in: .notRunning, of: Self.brokenApp)
        #expect(findings.explanations == [sequence.text])
    }

    @Test(
        arguments: [
            (nil, "", true),
            (#"{"findings": []}"#, "", false),
            (#"{"findings": [], "deliveries": []}"#, "; expect only 'findings'", true),
            (#"{"findings": [], "notCalled": ["app.didFinishLaunching"]}"#, "; expect only 'findings'", true),
            (#"{"notCalled": ["app.didFinishLaunching"]}"#, "", true),
        ] as [(String?, String, Bool)]
    )
    func causeThatCannotOccurHasNoCallsToExpect(text: String?, hint: String, fails: Bool) throws {
        let app = AppImplementation(lifeCycle: .appDelegate, sdk: 27)
        let sequence = CallbackSequence(for: .icon, in: .notRunning, of: app, system: 27)
        let expectation = try text.map { try DocumentDecoder.decode(Expectation.self, from: $0.utf8) }
        let failure = sequence.failure(expecting: expectation)
        #expect((failure != nil) == fails)
        guard case .cannotHappen(let reason) = sequence.outcome else {
            Issue.record("the cause occurs")
            return
        }
        #expect(!fails || failure?.message == "the cause cannot occur in this state: \(reason)\(hint)")
    }

    @Test func causeThatOccursHasCalls() {
        let sequence = CallbackSequence(for: .icon, in: .notRunning, of: Self.app)
        #expect(sequence.failure(expecting: nil) == nil)
    }

    @Test func oneMistakeOfSeveralMethodsIsExpectedOnce() throws {
        let app = AppImplementation(appDelegate: [.didBecomeActive, .willResignActive], sceneDelegate: [.willConnect])
        let findings = try Self.findings(#"{"findings": ["appDelegateLifeCycleCallback"]}"#, by: .icon, of: app)
        #expect(findings == Findings())
    }

    @Test func deliveriesAreUpdatedOneByOne() throws {
        var step = Step(place: SourcePlace(file: "x.yaml", line: 1, column: 1))
        step.scalars["deliveries[0]"] = .init(place: step.place, text: "scene.continueUserActivity")
        let failure = #expect(throws: StepFailure.self) {
            try Self.findings(#"{"deliveries": ["scene.continueUserActivity"]}"#).throwIfDifferent()
        }
        let edits = failure.flatMap { SourceEdit.edits(for: $0, in: step) }
        #expect(
            edits?.map(\.newValue) == ["scene(_:willConnectTo:options:) connectionOptions.userActivities"]
        )
    }
}

/// The names of methods and mistakes in scenario files.
@Suite struct CallbackNameTests {
    @Test(arguments: Callback.all) func methodHasTwoNames(_ callback: Callback) {
        for text in [callback.name, callback.signature] {
            #expect(ExpectedCall.problem(of: text) == nil)
        }
        for text in ["\(callback.signature)x", "\(callback.signature) argument"] {
            #expect(ExpectedCall.problem(of: text) != nil)
        }
    }

    @Test(arguments: LifeCycle.allCases) func everyCallIsAccepted(_ lifeCycle: LifeCycle) {
        let app = AppImplementation(lifeCycle: lifeCycle)
        var texts: Set<String> = []
        for cause in EventCause.allCases {
            for state in InitialState.allCases {
                texts.formUnion(CallbackSequence(for: cause, in: state, of: app).steps.map(\.delivery))
            }
        }
        #expect(!texts.isEmpty)
        for text in texts { #expect(ExpectedCall.problem(of: text) == nil) }
    }

    @Test(arguments: [
        (
            "scene(_:continue:) userActivty",
            ", which is no call with an event; did you mean 'scene(_:continue:) userActivity'?"
        ),
        (
            "scene(_:continue:) argument",
            ", which is no call with an event; "
                + "use one of: scene(_:continue:) userActivity, scene(_:continue:) userActivity.webpageURL"
        ),
        (
            "sceneDidBecomeActive(_:) scene",
            ", which is no call with an event; did you mean 'sceneDidBecomeActive(_:)'?"
        ),
    ])
    func argumentWithoutEventIsRefused(_ text: String, _ problem: String) {
        #expect(ExpectedCall.problem(of: text) == problem)
    }

    @Test func schemaHasTheCodesOfAllMistakesAndTheSources() throws {
        let keys = try FileSchema.scenario()["Expectation"]["properties"]
        let codes = keys?["findings"]?["items"]?["enum"]?.elements.compactMap(\.string)
        #expect(codes == MistakeCode.allCases.map(\.rawValue))
        let marks = keys?["minimumSource"]?["enum"]?.elements.compactMap(\.string)
        #expect(marks == SourceMark.allCases.map(\.rawValue))
    }
}
