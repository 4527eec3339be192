/// A modifier of a view of SwiftUI whose closure is called.
public enum ViewMethod: String, StringEnum {
    /// `onAppear(perform:)`.
    case onAppear

    /// `onChange(of: scenePhase)`.
    case onScenePhaseChange

    /// `onOpenURL(perform:)`.
    case onOpenURL

    /// `onContinueUserActivity(_:perform:)`.
    case onContinueUserActivity

    /// `onAppIntentExecution(_:perform:)`.
    case onAppIntentExecution
}
