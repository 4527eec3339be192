package import WaypostSchema

extension CallbackSequence {
    /// The major versions of iOS that have scenes.
    package static let systems = 13...99

    /// Returns why the calls on a device with a system are unknown; `nil` if they are not.
    package static func problem(with system: SystemVersion?) -> String? {
        guard let system, let major = system.major, !systems.contains(major) else { return nil }
        return "the system of the device is \(system.rawValue), and only those from \(systems.lowerBound) to "
            + "\(systems.upperBound) have scenes"
    }
}
