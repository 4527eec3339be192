internal import WaypostSchema

extension ViewMethod {
    /// The modifier as Apple spells it, and the version of iOS that introduced it.
    var declaration: (signature: String, since: Int) {
        switch self {
        case .onAppear: ("onAppear(perform:)", 13)
        case .onScenePhaseChange: ("onChange(of: scenePhase)", 14)
        case .onOpenURL: ("onOpenURL(perform:)", 14)
        case .onContinueUserActivity: ("onContinueUserActivity(_:perform:)", 14)
        case .onAppIntentExecution: ("onAppIntentExecution(_:perform:)", 26)
        }
    }
}
