import DeviceModel
import FoundationEssentials
import Testing
import WaypostSchema
import WaypostTestSupport

/// Which scenes the user sees at the same time.
@Suite struct WindowLayoutTests {
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let notes: BundleIdentifier = "com.example.notes"

    /// Returns a device with three scenes of one app and one of another.
    private static func device(_ layout: WindowLayout?, state: SceneState = .background) throws -> DeviceModel {
        let scenes: [SceneIdentifier] = ["overview", "crusty", "balloons"]
        let apps = [
            AppDescription(bundleIdentifier: clownTown, scenes: scenes.map { .example($0, state) }),
            AppDescription(bundleIdentifier: notes, scenes: [.example("left", state, at: 1)]),
        ]
        return try DeviceModel(DeviceDescription(name: "tablet", apps: apps, layout: layout))
    }

    /// Returns the event with which the user opens a scene.
    private static func opening(_ scene: SceneIdentifier) -> DeviceEvent {
        .scene(.sceneBroughtForward(scene == "left" ? notes : clownTown, scene, nil))
    }

    /// The scenes that the user opens, in order, and those that the user then sees.
    struct Example: CustomTestStringConvertible {
        var layout: WindowLayout?
        var opened: [SceneIdentifier]
        var visible: Set<SceneIdentifier>

        var testDescription: String {
            "\(layout?.rawValue ?? "no layout"): \(opened.map(\.rawValue).joined(separator: ", "))"
        }
    }

    static let examples = [
        Example(opened: ["overview", "crusty"], visible: ["crusty"]),
        Example(layout: .fullScreen, opened: ["overview", "left"], visible: ["left"]),
        Example(layout: .twoWindows, opened: ["overview"], visible: ["overview"]),
        Example(layout: .twoWindows, opened: ["overview", "crusty"], visible: ["overview", "crusty"]),
        Example(layout: .twoWindows, opened: ["overview", "crusty", "balloons"], visible: ["crusty", "balloons"]),
        Example(layout: .twoWindows, opened: ["overview", "crusty", "overview"], visible: ["overview", "crusty"]),
        Example(
            layout: .twoWindows,
            opened: ["overview", "crusty", "overview", "balloons"],
            visible: ["overview", "balloons"]
        ),
        Example(
            layout: .twoWindows,
            opened: ["crusty", "overview", "crusty", "balloons"],
            visible: ["crusty", "balloons"]
        ),
        Example(layout: .twoWindows, opened: ["overview", "left"], visible: ["overview", "left"]),
        Example(layout: .twoWindows, opened: ["overview", "left", "crusty"], visible: ["crusty", "left"]),
        Example(layout: .twoWindows, opened: ["left", "overview", "crusty"], visible: ["overview", "crusty"]),
        Example(
            layout: .manyWindows,
            opened: ["overview", "left", "crusty", "balloons"],
            visible: ["overview", "crusty", "balloons", "left"]
        ),
    ]

    @Test(.proves("T64"), arguments: examples, [0, 1])
    func scenesThatWereInFrontLastStay(_ example: Example, millisecondsBetween: Int) throws {
        var device = try Self.device(example.layout)
        for (index, scene) in example.opened.enumerated() {
            device.go(through: Self.opening(scene), at: Timestamp(milliseconds: 100 + index * millisecondsBetween))
        }
        #expect(Set(device.foreground) == example.visible)
        let states = device.description.apps.flatMap(\.scenes).map(\.state)
        #expect(states.filter { $0 == .foregroundActive }.count == example.visible.count)
        #expect(states.filter { $0 == .background }.count == states.count - example.visible.count)
    }

    @Test(.proves("T64")) func notificationBringsItsSceneForwardBesideTheOther() throws {
        var description = DeviceDescription.example
        description.layout = .twoWindows
        description.apps[2].scenes[0].state = .background
        description.apps[1].scenes[1].state = .foregroundActive
        var device = try DeviceModel(description)
        let opened = device.deliverAndOpen(.example(about: "crusty"), at: Timestamp(milliseconds: 100)).opened
        #expect(opened?.scene == "crusty")
        #expect(device.foreground == ["overview", "crusty"])
        #expect(device.frontScene(of: Self.clownTown) == "crusty")
    }

    @Test func describedScenesStayUntilOneOpens() throws {
        var device = try Self.device(.twoWindows, state: .foregroundActive)
        #expect(device.foreground == ["overview", "crusty", "balloons", "left"])
        device.go(through: Self.opening("balloons"))
        // Only the other app's scene was activated before.
        #expect(device.foreground == ["balloons", "left"])
    }

    @Test func describedTimeInTheFutureDoesNotHideTheOpenedScene() throws {
        let scenes: [SceneSession] = [
            .example("overview", .foregroundActive, at: 9_000), .example("crusty", at: 8_000),
        ]
        let app = AppDescription(bundleIdentifier: Self.clownTown, scenes: scenes)
        var device = try DeviceModel(DeviceDescription(name: "tablet", apps: [app]))
        device.go(through: Self.opening("crusty"))
        #expect(device.foreground == ["crusty"])
    }

    @Test func smallerLayoutHidesTheScenesThatWereInFrontFirst() throws {
        var device = try Self.device(.manyWindows)
        device.go(through: ["crusty", "left", "overview"].map(Self.opening))
        let effects = device.go(through: .setting(.layoutSet(.twoWindows)))
        let departure = SceneDeparture(app: Self.clownTown, scene: "crusty", state: .background)
        #expect(effects == [.scene(.sceneLeft(departure))])
        #expect(device.foreground == ["overview", "left"])
        device.go(through: .setting(.layoutSet(.fullScreen)))
        #expect(device.foreground == ["overview"])
        device.go(through: .setting(.layoutSet(.manyWindows)))
        #expect(device.foreground == ["overview"])
    }

    @Test(arguments: WindowLayout.allCases)
    func layoutIsPartOfTheDescription(_ layout: WindowLayout) throws {
        var device = try Self.device(nil)
        device.go(through: .setting(.layoutSet(layout)))
        #expect(device.description.layout == (layout == .fullScreen ? nil : layout))
        #expect(try DeviceModel(device.description).description == device.description)
    }

    @Test func snapshotHasTheLayoutAndTheVisibleScenes() throws {
        var device = try Self.device(nil)
        device.go(
            through: .setting(.layoutSet(.twoWindows)),
            Self.opening("overview"),
            Self.opening("crusty"),
            .system(.snapshotTaken("before")),
            .setting(.layoutSet(.fullScreen))
        )
        #expect(device.foreground == ["crusty"])
        device.go(through: .system(.deviceRestored(snapshot: "before")))
        #expect(device.description.layout == .twoWindows)
        #expect(device.foreground == ["overview", "crusty"])
        device.go(through: .system(.deviceRestored(snapshot: nil)))
        #expect(device.description.layout == nil)
    }

    /// The times of the openings are equal, so only their order decides.
    @Test func decodedDeviceHasTheOrderOfTheScenes() throws {
        var device = try Self.device(.twoWindows)
        device.go(through: Self.opening("crusty"), Self.opening("overview"))
        var decoded = try JSONDecoder().decode(DeviceModel.self, from: try JSONEncoder().encode(device))
        #expect(decoded.frontScene(of: Self.clownTown) == "overview")
        decoded.go(through: Self.opening("balloons"))
        #expect(decoded.foreground == ["overview", "balloons"])
    }

    @Test(arguments: [["crusty", "overview"], ["overview", "crusty"]] as [[SceneIdentifier]])
    func sceneInFrontIsChosenAmongVisibleOnes(_ opened: [SceneIdentifier]) throws {
        var device = try Self.device(.twoWindows)
        device.go(through: opened.map(Self.opening))
        #expect(device.frontScene(of: Self.clownTown) == opened.last)
        let decision = device.sceneDecision(for: .notification(nil), of: Self.clownTown)
        #expect(decision?.scene == opened.last)
        #expect(decision?.tieBreak == .recency)
    }

    /// The scenes that the user opens, the last of them in the state.
    @Test(
        arguments: [
            (["crusty", "overview"], .behindOtherScene), (["crusty", "overview", "crusty"], .foregroundActive),
            (["crusty", "overview", "overview"], .foregroundActive), (["left", "crusty"], .background),
            // The scene in front is one of another app.
            (["crusty", "left", "crusty"], .foregroundActive),
        ] as [([SceneIdentifier], InitialState)]
    )
    func openedSceneHasTheStateBefore(_ scenes: [SceneIdentifier], _ expected: InitialState) throws {
        var device = try Self.device(.twoWindows)
        let opened = device.go(through: scenes.map(Self.opening)).openedScene
        #expect(opened?.scene == scenes.last)
        #expect(opened?.initialState == expected)
    }

    @Test func processLearnsNothingOfASceneThatStaysVisible() throws {
        var device = try Self.device(.twoWindows)
        var process = AppProcess(of: Self.clownTown)
        device.go(through: Self.opening("overview"))
        _ = process.newEvents(on: device)
        device.go(through: Self.opening("crusty"))
        let second = process.newEvents(on: device)
        #expect(second.map(\.scene).allSatisfy { $0 == "crusty" })
        #expect(second.contains { if case .sceneConnected = $0 { true } else { false } })
        device.go(through: Self.opening("overview"))
        let third = process.newEvents(on: device)
        #expect(third == [.sceneActivated(SceneActivation(number: 3, scene: "overview"))])
    }
}

extension AppEvent {
    /// The scene of an event; `nil` for other events.
    fileprivate var scene: SceneIdentifier? {
        switch self {
        case .sceneConnected(let connected): connected.session.persistentIdentifier
        case .sceneActivated(let activation): activation.scene
        case .sceneChanged(let change): change.scene
        default: nil
        }
    }
}
