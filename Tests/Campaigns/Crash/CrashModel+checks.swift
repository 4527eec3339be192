import WaypostSchema

/// Checks of the final state of a gateway.
extension CrashModel {
    /// Returns the contradictions between the model and the whole delivery log of a namespace.
    ///
    /// - Parameters:
    ///   - log: The log, after the last gateway delivered everything.
    ///   - namespace: The namespace.
    /// - Returns: Sentences.
    func findings(in log: [NotificationRecord], of namespace: Namespace) -> [String] {
        let accepted = log.filter { $0.state != .rejected }
        let records = Dictionary(grouping: accepted.filter { $0.id != nil }, by: \.id)
        let here = items.values.filter { $0.item.namespace == namespace }
        var findings: [String] = []
        for modeled in here {
            guard let id = modeled.item.id else { continue }
            findings += countFindings(modeled, records[id]?.count ?? 0)
            for record in records[id] ?? [] { findings += stateFindings(modeled.item, record, among: accepted) }
        }
        findings += strangerFindings(accepted, here)
        findings += orderFindings(here, records)
        return findings
    }

    private func countFindings(_ modeled: ModeledItem, _ count: Int) -> [String] {
        guard count < modeled.minimum || count > modeled.maximum else { return [] }
        let expected = "\(modeled.minimum) to \(modeled.maximum)"
        return ["the log has \(modeled.item.name) \(count) times instead of \(expected)"]
    }

    private func stateFindings(
        _ item: CrashItem,
        _ record: NotificationRecord,
        among log: [NotificationRecord]
    ) -> [String] {
        var findings: [String] = []
        let place = "\(item.name) (\(record.sequence))"
        let finals = record.history.map(\.state).filter(\.isFinal)
        if finals.count != 1 { findings.append("\(place) has the final states \(finals), not exactly one") }
        if !isAllowed(record, item, among: log) { findings.append("\(place) is \(record.state), for no reason") }
        if acknowledged.contains(record.sequence), record.state != .acknowledged {
            findings.append("\(place) was acknowledged, and is \(record.state)")
        }
        return findings
    }

    private func isAllowed(_ record: NotificationRecord, _ item: CrashItem, among log: [NotificationRecord]) -> Bool {
        switch record.state {
        case .acknowledged: deliveredIDs.contains(record.id ?? "")
        case .expired: mayHaveExpired(item)
        case .dropped: item.isTransient
        case .collapsed:
            item.collapseID != nil
                && log.contains {
                    $0.sequence > record.sequence && $0.token == record.token && $0.collapseID == record.collapseID
                }
        // Its inbox moves with a device to another token; what is delivered now or dropped ends with the token.
        case .unregistered: item.isTransient && item.expectation == .either
        case .accepted, .stored, .sent, .rejected: false
        }
    }

    /// Checks that what is in the log was sent: its identifier is that of an item, or may be that of one whose
    /// identifier is unknown.
    private func strangerFindings(_ log: [NotificationRecord], _ here: [ModeledItem]) -> [String] {
        let ids = Set(here.compactMap(\.item.id))
        let strangers = log.filter { record in record.id.map { !ids.contains($0) } ?? true }
        let possible = here.filter { $0.item.id == nil }.reduce(0) { $0 + $1.maximum }
        guard strangers.count > possible else { return [] }
        return ["the log has \(strangers.count) notifications that nobody sent, such as \(strangers[0])"]
    }

    /// Checks that the sequences have the order in which each sender sent the items to a device.
    private func orderFindings(_ here: [ModeledItem], _ records: [NotificationID?: [NotificationRecord]]) -> [String] {
        let single = here.filter(\.isSentOnce).sorted { $0.item.number < $1.item.number }
        var findings: [String] = []
        for (_, list) in Dictionary(grouping: single, by: { [$0.item.sender] + $0.item.devices }) {
            var last: (name: String, sequence: Int)?
            for modeled in list {
                guard let id = modeled.item.id, let sequence = records[id]?.first?.sequence else { continue }
                if let last, sequence <= last.sequence {
                    findings.append("\(modeled.item.name) (\(sequence)) was sent after \(last), and is before it")
                }
                last = (modeled.item.name, sequence)
            }
        }
        return findings
    }

    /// Returns the contradictions between the receipts, the states of batches and the log of a namespace.
    func findings(in statuses: [BatchID: BatchStatus?], log: [NotificationRecord]) -> [String] {
        var findings: [String] = []
        let batches = Dictionary(grouping: log.filter { $0.state != .rejected }, by: \.batch)
        for (batch, status) in statuses {
            guard let status else {
                findings.append("the gateway does not have batch \(batch)")
                continue
            }
            let states = (batches[batch] ?? []).reduce(into: [DeliveryState: Int]()) { $0[$1.state, default: 0] += 1 }
            let counted = status.states.filter { $0.value != 0 }
            if counted != states { findings.append("batch \(batch) counts \(counted), and the log has \(states)") }
            if let receipt = receipts[batch],
                (receipt.accepted, receipt.rejected) != (status.accepted, status.rejected)
            {
                findings.append("batch \(batch) was answered with \(receipt), and is now \(status)")
            }
        }
        return findings
    }

    /// Returns the contradictions between what the inbox of a device has and what was sent to it.
    ///
    /// The device must never have been connected.
    func inboxFindings(of device: String, _ names: [String]) -> [String] {
        let counts = names.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        var findings = counts.keys.filter { items[$0]?.item.devices != [device] }
            .map { "the inbox of \(device) has \($0), which was not sent to it" }
        for modeled in items.values where modeled.item.devices == [device] {
            let count = counts[modeled.item.name] ?? 0
            guard count < modeled.minimum || count > modeled.maximum else { continue }
            let expected = "\(modeled.minimum) to \(modeled.maximum)"
            findings.append("the inbox of \(device) has \(modeled.item.name) \(count) times instead of \(expected)")
        }
        return findings
    }

    /// Returns the contradictions between the counters of a gateway and the log.
    ///
    /// - Parameters:
    ///   - counters: The increase of `waypost_notification_states_total`, by state.
    ///   - before: The log at the beginning of that time.
    ///   - after: The log at its end.
    /// - Returns: Sentences.
    static func counterFindings(
        _ counters: [DeliveryState: Int],
        from before: [NotificationRecord],
        to after: [NotificationRecord]
    ) -> [String] {
        let states: [DeliveryState] = [.acknowledged, .collapsed, .expired, .dropped]
        return states.compactMap { state in
            let increase = after.count { $0.state == state } - before.count { $0.state == state }
            let counted = counters[state] ?? 0
            return counted == increase ? nil : "the metrics count \(counted) \(state), and the log has \(increase) more"
        }
    }
}
