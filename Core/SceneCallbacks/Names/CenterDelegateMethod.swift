internal import WaypostSchema

extension CenterDelegateMethod {
    /// The method as Apple spells it, and the version of iOS that introduced it.
    var declaration: (signature: String, since: Int) {
        switch self {
        case .didReceive: ("userNotificationCenter(_:didReceive:withCompletionHandler:)", 10)
        case .willPresent: ("userNotificationCenter(_:willPresent:withCompletionHandler:)", 10)
        }
    }
}
