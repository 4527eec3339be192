import DeviceFiles
import SchemaFiles
import Testing
import WaypostSchema
import WaypostTestSupport

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

    private static func file(_ text: String) throws -> AppFile {
        let folder = try ScratchFolder()
        return try AppFile(try folder.write(text.utf8, to: "app.yaml"), .app())
    }

    init() throws {
        file = try Self.file(Self.text)
    }

    @Test func appIsDescribedAsInADeviceFile() {
        #expect(file.app == AppDescription(bundleIdentifier: "com.example.tv", scenes: []))
    }

    @Test func textInBase60IsAText() throws {
        let base60 = "59:59:59:59:59:59:59:59:59:59:59"
        let text = Self.text.replacing("com.example.tv", with: base60).replacing("One", with: base60)
        let file = try Self.file(text)
        #expect(file.app.bundleIdentifier == BundleIdentifier(rawValue: base60))
        #expect(file.process?.previews?.first?.title == base60)
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
            .requestAttribution(AttributionRequest(url: url, preferences: preferences))
        }
        let highlight = Highlight(id: "1", url: "https://tv.example/1")
        #expect(
            file.steps(for: highlight) == [
                .supply(LinkPreview(url: highlight.url, title: "One")), request(highlight.url),
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
        let app = try Self.file(text).appAfterLaunch
        #expect(
            app.scenes.map(\.activationConditions) == [
                ActivationConditions(can: "FALSEPREDICATE"), ActivationConditions(),
            ]
        )
    }

    @Test func fileWithoutAProcessDoesNothing() throws {
        let file = try Self.file("bundleIdentifier: a\nscenes: []")
        #expect(file.steps(for: Highlight(id: "1", url: "https://tv.example/1")).isEmpty)
        #expect(file.conditionSteps(for: "main").isEmpty)
    }
}
