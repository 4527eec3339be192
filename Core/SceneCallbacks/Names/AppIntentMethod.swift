internal import WaypostSchema

extension AppIntentMethod {
    /// The method as Apple spells it, and the version of iOS that introduced it.
    var declaration: (signature: String, since: Int) {
        switch self {
        case .performNavigation: ("performNavigation(forScene:)", 26)
        case .perform: ("perform()", 16)
        }
    }
}
