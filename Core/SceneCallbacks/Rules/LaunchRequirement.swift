package import WaypostSchema

/// A row of the table of life cycles with which an app no longer launches.
package struct LaunchRequirement: Sendable {
    /// The life cycle.
    package let lifeCycle: LifeCycle

    /// The major version of the SDK from which on apps are affected.
    package let sdk: Int

    /// The major version of iOS from which on apps are affected.
    package let system: Int

    /// The consequence.
    package let reason: String

    /// The source.
    package let source: CallbackSource

    /// The table.
    package static let all = [
        Self(
            lifeCycle: .appDelegate,
            sdk: 27,
            system: 27,
            reason: "an app that is built with the iOS 27 SDK and has no scenes does not launch on iOS 27",
            source: .sceneTechnote
        )
    ]
}
