internal import Highlights
internal import WaypostSchema

/// Snapshots of a device, and their restoration.
///
/// A snapshot is a copy, which costs little. The association files of domains are not part of the device, and are kept.
extension DeviceModel {
    /// The names of the snapshots, sorted.
    public var snapshotNames: [String] {
        snapshots.names
    }

    /// The names of the snapshots that a decoded device does not have yet.
    package var missingSnapshotNames: Set<String> {
        snapshots.missingNames
    }

    /// Adds the missing snapshots from the same device at an earlier time.
    package mutating func addMissingSnapshots(from previous: DeviceModel) {
        snapshots.addMissing(from: previous.snapshots)
    }

    mutating func takeSnapshot(_ name: String) throws(IgnoredEvent) {
        guard !name.isEmpty else { throw .noName }
        snapshots[name] = withoutSnapshots
    }

    /// Restores the device to a snapshot, or to its description if `name` is `nil`.
    mutating func restore(_ name: String?) throws(IgnoredEvent) -> [DeviceEffect] {
        var previous = DeviceModel(ranking: sharing.ranking)
        if let name {
            guard let snapshot = snapshots[name] else {
                throw IgnoredEvent(reason: .unknownSnapshot, explanation: "there is no snapshot '\(name)'")
            }
            previous = snapshot
        } else if let origin {
            _ = try Self.convertingErrors { () throws(DescriptionError) in try previous.applyDescription(origin) }
        }
        previous.adoptUnrestoredState(of: self)
        // No process of that time is attached now, so no process can own a view or show a whole shelf.
        previous.presentation = nil
        previous.expandedShelves = []
        for view in previous.views.all(where: { _ in true }) { _ = try? previous.releaseView(view.view, of: view.app) }
        self = previous
        return [.system(.deviceRestored)] + advanceNotifications(to: sharing.clock)
    }

    private var withoutSnapshots: DeviceModel {
        var copy = self
        copy.snapshots = DeviceSnapshots()
        return copy
    }
}

/// The snapshots of a device, by name.
///
/// Only their names are encoded: replaying the journal restores the snapshots.
struct DeviceSnapshots: Sendable {
    private var models: [String: DeviceModel] = [:]

    /// The names of the snapshots that a decoded device does not have yet.
    private(set) var missingNames: Set<String> = []

    init() {}

    /// The names, sorted.
    var names: [String] {
        missingNames.union(models.keys).sorted()
    }

    /// The snapshot with a name.
    subscript(name: String) -> DeviceModel? {
        get { models[name] }
        set {
            models[name] = newValue
            missingNames.remove(name)
        }
    }

    /// Adds the missing snapshots that `others` has.
    mutating func addMissing(from others: DeviceSnapshots) {
        for name in missingNames { if let model = others[name] { self[name] = model } }
    }
}

extension DeviceSnapshots: Codable {
    init(from decoder: any Decoder) throws {
        missingNames = Set(try decoder.singleValueContainer().decode([String].self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(names)
    }
}
