package import WaypostSchema

/// The pending faults, in the order they were added.
///
/// A request takes the first fault that is for its device, or for all devices of its namespace, and that chooses it.
package struct FaultScript: Sendable {
    /// The maximum number of faults in a namespace; more are probably a mistake.
    package static let capacity = 1_000

    /// The devices that a fault is for.
    private enum Target: Hashable {
        case device(DeviceToken)
        case allDevices(Namespace)
    }

    private struct Entry {
        var number: Int
        var namespace: Namespace
        var pendingFault: PendingFault
    }

    private var entries: [Target: [Entry]] = [:]
    private var addedCount = 0

    /// Creates a script without faults.
    package init() {}

    /// The devices that have faults.
    package var targets: FaultTargets {
        var targets = FaultTargets()
        for target in entries.keys {
            switch target {
            case .device(let token): targets.tokens.insert(token)
            case .allDevices(let namespace): targets.namespaces.insert(namespace)
            }
        }
        return targets
    }

    /// Returns the faults of a namespace, in order.
    package func faults(in namespace: Namespace) -> [ScriptedFault] {
        entries.values.joined().filter { $0.namespace == namespace }
            .sorted { $0.number < $1.number }
            .map(\.pendingFault.scriptedFault)
    }

    /// Adds a fault after the others; `nil` if there is no room for it.
    package mutating func add(_ fault: SendFault, as id: FaultID, in namespace: Namespace) -> ScriptedFault? {
        guard faults(in: namespace).count < Self.capacity else { return nil }
        let scriptedFault = ScriptedFault(id: id, fault: fault, left: fault.times)
        addedCount += 1
        let entry = Entry(number: addedCount, namespace: namespace, pendingFault: PendingFault(scriptedFault))
        let target = fault.token.map(Target.device) ?? .allDevices(namespace)
        entries[target, default: []].append(entry)
        return scriptedFault
    }

    /// Removes a fault and returns whether there was one.
    package mutating func remove(_ id: FaultID, in namespace: Namespace) -> Bool {
        remove { $0.namespace == namespace && $0.pendingFault.scriptedFault.id == id }
    }

    /// Removes the faults of a namespace.
    package mutating func removeAll(in namespace: Namespace) {
        _ = remove { $0.namespace == namespace }
    }

    private mutating func remove(where isRemovable: (Entry) -> Bool) -> Bool {
        var isRemoved = false
        for (target, targetEntries) in entries where targetEntries.contains(where: isRemovable) {
            isRemoved = true
            let rest = targetEntries.filter { !isRemovable($0) }
            entries[target] = rest.isEmpty ? nil : rest
        }
        return isRemoved
    }

    /// Decides which fault a request gets, and uses it up by one request.
    ///
    /// - Complexity: O(1) if there are no faults for the device.
    /// - Parameters:
    ///   - token: the token of the request.
    ///   - namespace: the namespace of its device.
    /// - Returns: the decision.
    package mutating func take(for token: DeviceToken, in namespace: Namespace) -> FaultDecision {
        guard !entries.isEmpty else { return .noFault }
        let targets: [Target] = [.device(token), .allDevices(namespace)]
        var candidates: [(target: Target, entry: Entry)] = []
        for target in targets {
            for entry in entries[target] ?? [] { candidates.append((target, entry)) }
        }
        candidates.sort { $0.entry.number < $1.entry.number }
        for var candidate in candidates {
            let isTaken = candidate.entry.pendingFault.take()
            update(candidate.entry, for: candidate.target)
            if isTaken { return .inject(candidate.entry.pendingFault.scriptedFault) }
        }
        return candidates.isEmpty ? .noFault : .spared
    }

    /// Stores an entry that saw a request, or removes it if it is used up.
    private mutating func update(_ entry: Entry, for target: Target) {
        guard var targetEntries = entries[target],
            let index = targetEntries.firstIndex(where: { $0.number == entry.number })
        else { return }
        if entry.pendingFault.isUsedUp { targetEntries.remove(at: index) } else { targetEntries[index] = entry }
        entries[target] = targetEntries.isEmpty ? nil : targetEntries
    }
}
