internal import WaypostSchema

/// A method of an App Intent.
package enum AppIntentMethod: String, StringEnum {
    case performNavigation
    case perform
}

extension AppIntentMethod {
    /// The method as Apple spells it, and the version of iOS that introduced it.
    var declaration: (signature: String, since: Int) {
        switch self {
        case .performNavigation: ("performNavigation(forScene:)", 26)
        case .perform: ("perform()", 16)
        }
    }
}
