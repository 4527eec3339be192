internal import Highlights
internal import WaypostSchema

/// What a device was, and is again.
///
/// A snapshot is a copy, which costs little. What the web says of apps is not part of the device, and stays.
extension DeviceModel {
    /// The names of the snapshots, sorted.
    public var snapshotNames: [String] {
        snapshots.keys.sorted()
    }

    mutating func takeSnapshot(_ name: String) throws(IgnoredEvent) {
        guard !name.isEmpty else { throw .noName }
        snapshots[name] = withoutSnapshots
    }

    /// Makes the device what it was when a snapshot was taken, or what it was described as.
    mutating func restore(_ name: String?) throws(IgnoredEvent) -> [DeviceEffect] {
        var former = DeviceModel(ranking: sharing.ranking)
        if let name {
            guard let snapshot = snapshots[name] else {
                throw IgnoredEvent(reason: .unknownSnapshot, explanation: "there is no snapshot '\(name)'")
            }
            former = snapshot
        } else if let origin {
            _ = try Self.ignoringErrors { () throws(DescriptionError) in try former.describe(origin) }
        }
        former.become(self)
        // No process that asked for a view then is there now.
        former.presentation = nil
        for view in former.views.all(where: { _ in true }) { _ = try? former.release(view.view, of: view.app) }
        self = former
        return [.deviceRestored]
    }

    private var withoutSnapshots: DeviceModel {
        var copy = self
        copy.snapshots = [:]
        return copy
    }
}
