import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// A client that sends batches to random gateways, and sends each again with its key until it has an answer.
struct ClusterSender: Sendable {
    private let name: String
    private let tokens: [DeviceToken]
    private let access: ClusterAccess
    private let load: ClusterLoad
    private var generator: SeededGenerator

    /// Creates a sender of a load; `name` is the prefix of its keys.
    init(_ name: String, to tokens: [DeviceToken], _ access: ClusterAccess, _ load: ClusterLoad, seed: UInt64) {
        self.name = name
        self.tokens = tokens
        self.access = access
        self.load = load
        generator = SeededGenerator(seed: seed)
    }

    /// Sends batches until the load is over, and finishes the last one.
    mutating func run() async {
        var count = 0
        while !load.isOver, !Task.isCancelled {
            var batch = ClusterBatch("\(name)-\(count)", to: tokens, using: &generator)
            count += 1
            let gateway = access.anyGateway(using: &generator)
            batch.receipt = batch.isSentToAll ? await sendToAll(batch) : await send(batch, first: gateway)
            if batch.receipt != nil { load.add(batch) }
        }
        load.recordFinished()
    }

    /// Sends a batch to every gateway at once, and checks that all answers are the same.
    private mutating func sendToAll(_ batch: ClusterBatch) async -> BatchReceipt? {
        let receipts = await withTaskGroup(of: BatchReceipt?.self) { group in
            for gateway in access.gateways.indices {
                var sender = self
                sender.generator = SeededGenerator(seed: generator.next())
                group.addTask { [sender] in
                    var sender = sender
                    return await sender.send(batch, first: gateway)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // Only the first answer has findings.
        let answered = receipts.compactMap(\.self).map { receipt in
            var receipt = receipt
            receipt.findings = nil
            return receipt
        }
        if let first = answered.first, !answered.allSatisfy({ $0 == first }) {
            access.answers.add(finding: "\(batch.key): the gateways gave different answers: \(answered)")
        }
        return answered.first
    }

    /// Sends a batch until a gateway answers with 200; returns `nil` if the task is canceled or an answer is wrong.
    private mutating func send(_ batch: ClusterBatch, first: Int) async -> BatchReceipt? {
        var gateway = first
        while !Task.isCancelled {
            do {
                let answer = try await access.calls(gateway).send(batch.lines, query: "?results=all", key: batch.key)
                if answer.status == 200 { return receive(answer, to: batch, from: gateway) }
                let body = String(decoding: answer.body, as: UTF8.self)
                guard access.answers.note(status: Int(answer.status), to: "\(batch.key): \(body)") else { return nil }
            } catch {
                if !Task.isCancelled { access.answers.recordUnanswered(batch.key) }
            }
            gateway = access.anyGateway(using: &generator)
            await ClusterAccess.pause(using: &generator)
        }
        return nil
    }

    private func receive(
        _ answer: GatewayCalls.Answer,
        to batch: ClusterBatch,
        from gateway: Int
    ) -> BatchReceipt? {
        guard let receipt = try? answer.decoded(as: BatchReceipt.self) else {
            access.answers.add(finding: "\(batch.key): an answer that is no receipt")
            return nil
        }
        let isReplayed = answer.header("idempotency-replayed") == "true"
        if isReplayed { load.recordReplayed() }
        let items = zip(batch.items, receipt.results).map { item, result in
            "\(result.id?.rawValue ?? "refused") to device \(item.device)"
        }
        let text = "\(isReplayed ? "repeats" : "gives") the answer to \(batch.key), batch \(receipt.id)"
        access.answers.history(access.gateways[gateway].name, "\(text): \(items.joined(separator: ", "))")
        if let problem = batch.problem(of: receipt) { access.answers.add(finding: "\(batch.key): \(problem)") }
        return receipt
    }
}
