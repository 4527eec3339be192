package import WaypostSchema

/// The pending faults, in the order they were added.
///
/// A request takes the first fault for its token.
package struct FaultScript: Sendable {
    /// The maximum number of faults in a namespace; more are probably a mistake.
    package static let capacity = 1_000

    private struct Entry {
        var number: Int
        var namespace: Namespace
        var scriptedFault: ScriptedFault
    }

    private var entries: [DeviceToken: [Entry]] = [:]
    private var addedCount = 0

    /// Creates a script without faults.
    package init() {}

    /// The devices that have faults.
    package var tokens: Set<DeviceToken> {
        Set(entries.keys)
    }

    /// Returns the faults of a namespace, in order.
    package func faults(in namespace: Namespace) -> [ScriptedFault] {
        entries.values.joined().filter { $0.namespace == namespace }
            .sorted { $0.number < $1.number }
            .map(\.scriptedFault)
    }

    /// Adds a fault after the others; `nil` if there is no room for it.
    package mutating func add(_ fault: SendFault, as id: FaultID, in namespace: Namespace) -> ScriptedFault? {
        guard faults(in: namespace).count < Self.capacity else { return nil }
        let scriptedFault = ScriptedFault(id: id, fault: fault, left: fault.times)
        addedCount += 1
        let entry = Entry(number: addedCount, namespace: namespace, scriptedFault: scriptedFault)
        entries[fault.token, default: []].append(entry)
        return scriptedFault
    }

    /// Removes a fault and returns whether there was one.
    package mutating func remove(_ id: FaultID, in namespace: Namespace) -> Bool {
        remove { $0.namespace == namespace && $0.scriptedFault.id == id }
    }

    /// Removes the faults of a namespace.
    package mutating func removeAll(in namespace: Namespace) {
        _ = remove { $0.namespace == namespace }
    }

    private mutating func remove(where isRemovable: (Entry) -> Bool) -> Bool {
        var isRemoved = false
        for (token, tokenEntries) in entries where tokenEntries.contains(where: isRemovable) {
            isRemoved = true
            let rest = tokenEntries.filter { !isRemovable($0) }
            entries[token] = rest.isEmpty ? nil : rest
        }
        return isRemoved
    }

    /// Returns the fault to inject into a request for `token`, if any, and uses it up by one request.
    ///
    /// - Complexity: O(1) if the token has no faults.
    package mutating func take(for token: DeviceToken) -> ScriptedFault? {
        guard !entries.isEmpty, var tokenEntries = entries[token] else { return nil }
        var scriptedFault = tokenEntries[0].scriptedFault
        guard let remainingUses = scriptedFault.left else { return scriptedFault }
        scriptedFault.left = remainingUses - 1
        if remainingUses > 1 { tokenEntries[0].scriptedFault = scriptedFault } else { tokenEntries.removeFirst() }
        entries[token] = tokenEntries.isEmpty ? nil : tokenEntries
        return scriptedFault
    }
}
