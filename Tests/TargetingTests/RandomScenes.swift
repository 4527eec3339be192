import Targeting
import WaypostSchema
import WaypostTestSupport

/// A random query to scene selection, and an independent model of the order of scenes.
struct RandomScenes {
    /// A scene whose conditions list the contents for which they are true.
    struct Scene {
        var name: String
        var state: SceneState
        var lastActivated: Int?
        var displayable: Set<String>
        var preferred: Set<String>
    }

    private static let contents = ["a", "b", "c"]

    var scenes: [Scene]
    var identifier: String?
    var supportsMultipleScenes: Bool
    var prefersOnlyAmongCapable: Bool

    init(using generator: inout SeededGenerator) {
        let count = Int.random(in: 0...6, using: &generator)
        scenes = (0..<count).map { Self.scene("scene-\($0)", using: &generator) }
        identifier = [nil, "", "a", "a", "b", "c", "d"].randomElement(using: &generator) ?? nil
        supportsMultipleScenes = Int.random(in: 0..<5, using: &generator) > 0
        prefersOnlyAmongCapable = Bool.random(using: &generator)
    }

    private static func scene(_ name: String, using generator: inout SeededGenerator) -> Scene {
        Scene(
            name: name,
            state: SceneState.allCases.randomElement(using: &generator) ?? .background,
            lastActivated: Bool.random(using: &generator) ? Int.random(in: 0...2, using: &generator) : nil,
            displayable: someContents(using: &generator),
            preferred: someContents(using: &generator)
        )
    }

    private static func someContents(using generator: inout SeededGenerator) -> Set<String> {
        var some: Set<String> = []
        for content in contents where Int.random(in: 0..<3, using: &generator) == 0 { some.insert(content) }
        return some
    }
}

extension RandomScenes {
    var usesConditions: Bool {
        supportsMultipleScenes && identifier?.isEmpty == false
    }

    /// Returns the rank of `scene` as numbers in order of importance; greater is better.
    func rank(of scene: Scene) -> [Int] {
        let position = scenes.map(\.name).sorted().firstIndex(of: scene.name) ?? 0
        return [
            suitability(of: scene) ?? 0,
            [.disconnected, .background, .foregroundInactive, .foregroundActive].firstIndex(of: scene.state) ?? 0,
            scene.lastActivated ?? -1,
            -position,
        ]
    }

    func suitability(of scene: Scene) -> Int? {
        guard usesConditions, let identifier else { return nil }
        let can = scene.displayable.contains(identifier)
        if scene.preferred.contains(identifier) { return can || !prefersOnlyAmongCapable ? 2 : 0 }
        return can ? 1 : 0
    }

    /// The scene that should win, or `nil` if a new scene should be created.
    var best: Scene? {
        let best = scenes.max { rank(of: $0).lexicographicallyPrecedes(rank(of: $1)) }
        return best.flatMap { suitability(of: $0) == 0 ? nil : $0 }
    }

    func decide() throws -> SceneDecision {
        SceneSelection.decide(
            for: .notification(identifier.map(TargetContentIdentifier.init(rawValue:))),
            among: try scenes.map(Self.candidate),
            SelectionRules(
                supportsMultipleScenes: supportsMultipleScenes,
                prefersOnlyAmongCapable: prefersOnlyAmongCapable
            )
        )
    }

    private static func candidate(_ scene: Scene) throws -> SceneCandidate {
        try .named(
            SceneIdentifier(rawValue: scene.name),
            scene.state,
            at: scene.lastActivated,
            can: format(scene.displayable),
            prefers: format(scene.preferred)
        )
    }

    private static func format(_ contents: Set<String>) -> String {
        guard !contents.isEmpty else { return "FALSEPREDICATE" }
        return contents.sorted().map { "SELF == '\($0)'" }.joined(separator: " OR ")
    }
}
