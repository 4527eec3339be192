import SceneCallbacks
import Testing

extension AppImplementation {
    /// An app that implements everything of its life cycle, reads everything, and removes duplicates.
    static func complete(_ lifeCycle: LifeCycle) -> Self {
        let replacedMethods = Set(ReplacedMethod.all.map(\.old))
        let isUIScene = lifeCycle == .uiScene
        return Self(
            lifeCycle: lifeCycle,
            sdk: isUIScene ? 27 : 26,
            appDelegate: AppDelegateMethod.allCases.filter { !isUIScene || !replacedMethods.contains($0) },
            sceneDelegate: isUIScene ? SceneDelegateMethod.allCases : [],
            notificationCenter: CenterDelegate(methods: CenterDelegateMethod.allCases, setIn: .didFinishLaunching),
            appIntents: AppIntentMethod.allCases,
            reads: isUIScene ? StartOption.allCases.filter { $0 != .launchOptions } : [.launchOptions],
            deduplicates: StartOption.allCases,
            practices: []
        )
    }
}

/// A cell of the matrix.
struct MatrixCell: Sendable, CustomTestStringConvertible {
    let lifeCycle: LifeCycle
    let cause: EventCause
    let state: InitialState

    var testDescription: String {
        "\(lifeCycle.rawValue), \(cause.rawValue), \(state.rawValue)"
    }

    /// Returns the calls of the cell in an app; by default, in one about which nothing is known.
    func sequence(of app: AppImplementation? = nil) -> CallbackSequence {
        CallbackSequence(for: cause, in: state, of: app ?? AppImplementation(lifeCycle: lifeCycle))
    }

    /// All cells.
    static let all = LifeCycle.allCases.flatMap { lifeCycle in
        EventCause.allCases.flatMap { cause in
            InitialState.allCases.map { MatrixCell(lifeCycle: lifeCycle, cause: cause, state: $0) }
        }
    }
}
