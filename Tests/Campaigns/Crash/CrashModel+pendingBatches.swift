import WaypostSchema

/// Rules about batches that were answered before they were stored (202).
extension CrashModel {
    /// Records that the present gateway answered a batch with 202, which promises nothing about its items.
    mutating func queue(_ batch: BatchID) {
        countOperation()
        pendingBatches[batch] = gateways
    }

    /// Records that a batch which was answered with 202 no longer waits.
    ///
    /// - Parameters:
    ///   - batch: The identifier in the answer.
    ///   - list: Its items.
    ///   - status: Its status; `nil` if the gateway does not have the batch, which is so after a crash only.
    mutating func endWaiting(of batch: BatchID, _ list: [CrashItem], as status: BatchStatus?) {
        countOperation()
        let gateway = pendingBatches.removeValue(forKey: batch)
        guard let status else {
            if gateway == gateways { report("batch \(batch) was answered with 202, and the same gateway lost it") }
            return lose(list)
        }
        guard status.phase != .refused else { return refuse(list) }
        let results = (status.results ?? []).map { ($0.index, $0) }
        let rejected = Dictionary(results, uniquingKeysWith: { first, _ in first })
        if (status.accepted, status.rejected) != (list.count - rejected.count, rejected.count) {
            report("batch \(batch) has \(list.count) items, \(rejected.count) of them refused, and is \(status)")
        }
        for (place, item) in list.enumerated() {
            if let result = rejected[place] {
                reject(item.name, because: result.reason?.rawValue ?? "\(result.status)")
            } else {
                accept(item.name, id: nil)
            }
        }
    }
}
