import DescriptionFiles
import Testing
import WaypostSchema

@testable import AdminCommands

/// The reactions of an app's process to the events that it receives.
@Suite struct AppFileTests {
    private static let text = """
        bundleIdentifier: com.example.tv
        scenes: []
        process:
          conditions: {main: {canActivateForTargetContentIdentifierPredicate: "FALSEPREDICATE"}}
          restorationActivities: {main: {activityType: watching}}
          previews: [{url: "https://tv.example/1", title: One}]
          attributions: {displayContext: detail}
        """

    private let file: AppFile

    init() throws {
        file = try StrictYAML.decode(AppFile.self, from: Self.text)
    }

    @Test func appIsDescribedAsInADeviceFile() {
        #expect(file.app == AppDescription(bundleIdentifier: "com.example.tv", scenes: []))
    }

    @Test func connectedSceneIsSetUpAndItsActivationsAreTaken() {
        let activation = SceneActivation(number: 7, scene: "main")
        let scene = ConnectedScene(
            session: SceneSession(persistentIdentifier: "main"),
            connectionOptions: [activation]
        )
        #expect(
            file.steps(after: .sceneConnected(scene)) == [
                .setConditions(ActivationConditions(can: "FALSEPREDICATE"), "main"),
                .setActivity(UserActivity(activityType: "watching"), "main"),
                .take(activation),
            ]
        )
        #expect(file.steps(after: .sceneActivated(activation)) == [.take(activation)])
    }

    @Test func newHighlightGetsAPreviewAndAViewIsRequested() {
        let preferences = AttributionPreferences(displayContext: .detail)
        func request(_ url: String) -> AppFile.Step {
            .ask(AttributionRequest(url: url, preferences: preferences))
        }
        let known = Highlight(id: "1", url: "https://tv.example/1")
        #expect(
            file.steps(for: known) == [
                .supply(LinkPreview(url: known.url, title: "One")), request(known.url),
            ]
        )
        let other = Highlight(id: "2", url: "https://tv.example/2")
        #expect(file.steps(for: other) == [request(other.url)])
    }

    @Test func conditionsOfTheProcessReplaceThoseOfTheScene() throws {
        let text = Self.text.replacing(
            "scenes: []",
            with: "scenes: [{persistentIdentifier: main}, {persistentIdentifier: b}]"
        )
        let app = try StrictYAML.decode(AppFile.self, from: text).appAfterLaunch
        #expect(
            app.scenes.map(\.activationConditions) == [
                ActivationConditions(can: "FALSEPREDICATE"), ActivationConditions(),
            ]
        )
    }

    @Test func fileWithoutAProcessDoesNothing() throws {
        let file = try StrictYAML.decode(AppFile.self, from: "bundleIdentifier: a\nscenes: []")
        #expect(file.steps(for: Highlight(id: "1", url: "https://tv.example/1")).isEmpty)
        #expect(file.conditions(of: "main").isEmpty)
    }
}
