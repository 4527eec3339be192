internal import WaypostSchema

/// The faults that were asked for, in the order in which they came: a send takes the first that is for its token.
struct FaultScript: Sendable {
    /// The most faults of a namespace: whoever scripts more forgets to remove them.
    static let capacity = 1_000

    private struct Entry {
        var number: Int
        var namespace: Namespace
        var scripted: ScriptedFault
    }

    private var entries: [DeviceToken: [Entry]] = [:]
    private var added = 0

    /// Returns the faults of a namespace, in order.
    func faults(in namespace: Namespace) -> [ScriptedFault] {
        entries.values.joined().filter { $0.namespace == namespace }
            .sorted { $0.number < $1.number }
            .map(\.scripted)
    }

    /// Adds a fault behind the others; whether there is room for it.
    mutating func add(_ fault: SendFault, as id: FaultID, in namespace: Namespace) -> ScriptedFault? {
        guard faults(in: namespace).count < Self.capacity else { return nil }
        let scripted = ScriptedFault(id: id, fault: fault, left: fault.times)
        added += 1
        entries[fault.token, default: []].append(Entry(number: added, namespace: namespace, scripted: scripted))
        return scripted
    }

    /// Removes a fault; whether there was one.
    mutating func remove(_ id: FaultID, in namespace: Namespace) -> Bool {
        remove { $0.namespace == namespace && $0.scripted.id == id }
    }

    /// Removes the faults of a namespace.
    mutating func removeAll(in namespace: Namespace) {
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

    /// Returns what goes wrong with a send to `token`, if anything; one send less is to come to that.
    ///
    /// Complexity: O(1) where nothing is to go wrong with the token.
    mutating func take(for token: DeviceToken) -> ScriptedFault? {
        guard !entries.isEmpty, var waiting = entries[token] else { return nil }
        var scripted = waiting[0].scripted
        guard let left = scripted.left else { return scripted }
        scripted.left = left - 1
        if left > 1 { waiting[0].scripted = scripted } else { waiting.removeFirst() }
        entries[token] = waiting.isEmpty ? nil : waiting
        return scripted
    }
}
