internal import Highlights
internal import WaypostSchema

/// Snapshots of a device, and their restoration.
///
/// A snapshot is a copy, which costs little. The association files of domains are not part of the device, and are kept.
extension DeviceModel {
    /// The names of the snapshots, sorted.
    public var snapshotNames: [String] {
        snapshots.keys.sorted()
    }

    mutating func takeSnapshot(_ name: String) throws(IgnoredEvent) {
        guard !name.isEmpty else { throw .noName }
        snapshots[name] = withoutSnapshots
    }

    /// Restores the device to a snapshot, or to its description if `name` is `nil`.
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
        // No process of that time is attached now, so no process can own a view.
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
