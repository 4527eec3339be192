package import WaypostSchema

/// The pending faults, in the order they were added.
///
/// A request takes the first fault for its token.
package struct FaultScript: Sendable {
    /// The maximum number of faults in a namespace; a script with more has forgotten to remove them.
    package static let capacity = 1_000

    private struct Entry {
        var number: Int
        var namespace: Namespace
        var scripted: ScriptedFault
    }

    private var entries: [DeviceToken: [Entry]] = [:]
    private var added = 0

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
            .map(\.scripted)
    }

    /// Adds a fault after the others; `nil` if there is no room for it.
    package mutating func add(_ fault: SendFault, as id: FaultID, in namespace: Namespace) -> ScriptedFault? {
        guard faults(in: namespace).count < Self.capacity else { return nil }
        let scripted = ScriptedFault(id: id, fault: fault, left: fault.times)
        added += 1
        entries[fault.token, default: []].append(Entry(number: added, namespace: namespace, scripted: scripted))
        return scripted
    }

    /// Removes a fault and returns whether there was one.
    package mutating func remove(_ id: FaultID, in namespace: Namespace) -> Bool {
        remove { $0.namespace == namespace && $0.scripted.id == id }
    }

    /// Removes the faults of a namespace.
    package mutating func removeAll(in namespace: Namespace) {
        _ = remove { $0.namespace == namespace }
    }

    private mutating func remove(where isGone: (Entry) -> Bool) -> Bool {
        var isRemoved = false
        for (token, waiting) in entries where waiting.contains(where: isGone) {
            isRemoved = true
            let rest = waiting.filter { !isGone($0) }
            entries[token] = rest.isEmpty ? nil : rest
        }
        return isRemoved
    }

    /// Returns the fault to inject into a request for `token`, if any, and uses it up by one request.
    ///
    /// - Complexity: O(1) if the token has no faults.
    package mutating func take(for token: DeviceToken) -> ScriptedFault? {
        guard !entries.isEmpty, var waiting = entries[token] else { return nil }
        var scripted = waiting[0].scripted
        guard let remaining = scripted.left else { return scripted }
        scripted.left = remaining - 1
        if remaining > 1 { waiting[0].scripted = scripted } else { waiting.removeFirst() }
        entries[token] = waiting.isEmpty ? nil : waiting
        return scripted
    }
}
