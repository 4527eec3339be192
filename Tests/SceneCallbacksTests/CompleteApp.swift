import SceneCallbacks
import Testing
import WaypostSchema

extension AppImplementation {
    /// An app that implements everything of its life cycle, reads everything, and removes duplicates.
    static func complete(_ lifeCycle: LifeCycle) -> Self {
        let replacedMethods = Set(ReplacedMethod.all.map(\.old))
        let hasScenes = lifeCycle != .appDelegate
        let objects = lifeCycle.objects
        return Self(
            lifeCycle: lifeCycle,
            sdk: hasScenes ? 27 : 26,
            supportsMultipleScenes: hasScenes,
            appDelegate: AppDelegateMethod.allCases.filter { method in
                objects.contains(.appDelegate) && !(hasScenes && replacedMethods.contains(method))
            },
            sceneDelegate: objects.contains(.sceneDelegate) ? SceneDelegateMethod.allCases : [],
            notificationCenter: CenterDelegate(methods: CenterDelegateMethod.allCases, setIn: .didFinishLaunching),
            views: objects.contains(.view) ? ViewMethod.allCases : [],
            appIntents: AppIntentMethod.allCases,
            reads: hasScenes ? StartOption.allCases.filter { $0 != .launchOptions } : [.launchOptions],
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

    /// Whether no method of an app with the life cycle, or of its views, receives the event.
    var isUnreceivable: Bool {
        switch (lifeCycle, cause) {
        case (.swiftUI, .quickAction), (.swiftUI, .silentPush), (.swiftUI, .contentAvailablePush),
            (.swiftUI, .cloudKitShare), (.swiftUIWithAdaptor, .cloudKitShare), (.swiftUI, .handoffFailure),
            (.swiftUIWithAdaptor, .handoffFailure):
            true
        case (.swiftUIWithAdaptor, .quickAction): Set<InitialState>.connected.contains(state)
        default: false
        }
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
