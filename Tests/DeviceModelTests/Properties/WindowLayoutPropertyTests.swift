import DeviceModel
import FoundationEssentials
import Testing
import WaypostSchema
import WaypostTestSupport

/// The visible scenes are those that came to the front last, in random histories.
@Suite struct WindowLayoutPropertyTests {
    private struct Place: Hashable {
        let app: BundleIdentifier
        let scene: SceneIdentifier
    }

    /// A random history of two apps, with a list of the visible scenes, the one in front first.
    private struct Walk {
        private static let apps: [BundleIdentifier] = ["com.example.clowntown", "com.example.notes"]
        private static let scenes: [SceneIdentifier] = ["a", "b", "c"]
        private static let room: [WindowLayout: Int] = [.fullScreen: 1, .twoWindows: 2]

        private(set) var device: DeviceModel
        private(set) var visible: [Place] = []

        /// The scene that opened in the last step; `nil` if none did.
        private(set) var opened: Place?
        private(set) var now = 100
        private var layout = WindowLayout.fullScreen
        private var generator: SeededGenerator

        init(seed: UInt64) throws {
            let apps = Self.apps.map { app in
                AppDescription(bundleIdentifier: app, scenes: Self.scenes.map { .example($0) })
            }
            device = try DeviceModel(DeviceDescription(name: "tablet", apps: apps))
            generator = SeededGenerator(seed: seed)
        }

        private mutating func pick<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: values.indices, using: &generator)]
        }

        mutating func step() throws {
            let wait = pick([0, 0, 1])
            now += wait
            opened = nil
            let place = Place(app: pick(Self.apps), scene: pick(Self.scenes))
            switch Int.random(in: 0..<12, using: &generator) {
            case 0...1:
                layout = pick(WindowLayout.allCases)
                apply(.setting(.layoutSet(layout)))
            case 2: leave(place, .sceneBackgrounded(place.app, place.scene))
            case 3: leave(place, .sceneDisconnected(place.app, place.scene))
            case 4: device = try JSONDecoder().decode(DeviceModel.self, from: try JSONEncoder().encode(device))
            default:
                apply(.scene(.sceneBroughtForward(place.app, place.scene, nil)))
                visible = [place] + visible.filter { $0 != place }
                opened = place
            }
            visible = Array(visible.prefix(Self.room[layout] ?? visible.count))
        }

        private mutating func leave(_ place: Place, _ event: SceneEvent) {
            apply(.scene(event))
            visible.removeAll { $0 == place }
        }

        private mutating func apply(_ event: DeviceEvent) {
            _ = device.apply(event, at: Timestamp(milliseconds: now))
        }

        /// The scenes that are foreground active on the device.
        var seen: Set<Place> {
            let places = device.description.apps.flatMap { app in
                app.scenes.filter { $0.state == .foregroundActive }
                    .map { Place(app: app.bundleIdentifier, scene: $0.persistentIdentifier) }
            }
            return Set(places)
        }

        /// The scene in front of the others of its app, by app.
        var front: [BundleIdentifier: SceneIdentifier] {
            Dictionary(visible.map { ($0.app, $0.scene) }, uniquingKeysWith: { first, _ in first })
        }
    }

    @Test(arguments: Trials.seeds(4, from: 700))
    func theScenesThatCameToTheFrontLastAreVisible(seed: UInt64) throws {
        var walk = try Walk(seed: seed)
        for step in 0..<300 {
            try walk.step()
            let comment: Comment = "seed \(seed), step \(step)"
            #expect(walk.seen == Set(walk.visible), comment)
            for (app, scene) in walk.front { #expect(walk.device.frontScene(of: app) == scene, comment) }
            guard let opened = walk.opened else { continue }
            let session = walk.device.scene(opened.scene, of: opened.app)
            #expect(session?.lastActivated == Timestamp(milliseconds: walk.now), comment)
        }
    }
}
