internal import WaypostSchema

extension PushReceiver {
    /// The function of an extension that the system calls; `nil` if it calls the app.
    var extensionFunction: AppCall.Function? {
        switch self {
        case .location: .didReceiveLocationPush
        case .fileProvider: .enumerateChanges
        case .complication: nil
        case .widgets: .reloadTimelines
        case .controls: .reloadControl
        }
    }

    /// Returns the call, as a sentence.
    func sentence(for app: BundleIdentifier) -> String {
        switch self {
        case .location: "the location push service extension of \(app) is called"
        case .fileProvider: "the enumerator of the file provider of \(app) is signaled"
        case .complication: "\(app) is called for its complications"
        case .widgets: "all widgets of \(app) with a push handler are reloaded"
        case .controls: "the controls of \(app) with a push handler are reloaded"
        }
    }
}

extension PushBudgets {
    /// The budget for a receiver; `nil` if the description has none.
    subscript(receiver: PushReceiver) -> PushBudget? {
        switch receiver {
        case .location: location
        case .fileProvider: fileProvider
        case .complication: complication
        case .widgets: widgets
        case .controls: controls
        }
    }
}
