import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// A client that sends batches and records the answers.
struct Sender: Sendable {
    /// Every batch that it sent.
    private(set) var batches: [SentBatch] = []

    /// The violations that were observed.
    private(set) var findings: [String] = []

    /// The number of unanswered batches that turned out to be stored.
    private(set) var foundStored = 0

    private let name: String
    private let tokens: [DeviceToken]
    private let durability: Durability
    private var generator: SeededGenerator

    /// Creates a sender that has sent nothing, and expects receipts with a durability.
    init(_ name: String, to tokens: [DeviceToken], durability: Durability, seed: UInt64) {
        self.durability = durability
        self.name = name
        self.tokens = tokens
        generator = SeededGenerator(seed: seed)
    }

    /// Sends until the gateway is killed, starting with the batches that the previous gateway did not answer.
    mutating func live(_ gateway: GatewayCalls, _ killSwitch: KillSwitch) async {
        do {
            guard try await settle(gateway, killSwitch) else { return }
            while !killSwitch.isOver {
                batches.append(SentBatch("\(name)-\(batches.count)", to: tokens, using: &generator))
                guard try await send(batches.count - 1, gateway, killSwitch) else { return }
                guard try await repeatOne(gateway, killSwitch) else { return }
            }
        } catch {
            findings.append("\(name): no answer from a running gateway: \(error)")
        }
    }

    /// Resends every unanswered batch that has a key, and then sends it again.
    ///
    /// Returns `false` if the gateway was killed.
    mutating func settle(_ gateway: GatewayCalls, _ killSwitch: KillSwitch) async throws -> Bool {
        for index in batches.indices where batches[index].isOpen {
            guard try await send(index, gateway, killSwitch, isRepetition: true) else { return false }
            guard try await confirm(index, gateway, killSwitch) else { return false }
        }
        return true
    }

    /// Occasionally resends an answered batch, which an earlier gateway may have answered.
    private mutating func repeatOne(_ gateway: GatewayCalls, _ killSwitch: KillSwitch) async throws -> Bool {
        guard Int.random(in: 0..<8, using: &generator) == 0 else { return true }
        guard let index = batches.indices.filter({ batches[$0].isKeptByKey }).randomElement(using: &generator) else {
            return true
        }
        return try await confirm(index, gateway, killSwitch)
    }

    private mutating func send(
        _ index: Int,
        _ gateway: GatewayCalls,
        _ killSwitch: KillSwitch,
        isRepetition: Bool = false
    ) async throws -> Bool {
        guard let answer = try await answer(to: batches[index], gateway, killSwitch) else { return false }
        if isRepetition && answer.isReplay { foundStored += 1 }
        if !isRepetition && answer.isReplay { findings.append("\(name): a new key got a replayed answer") }
        switch (answer.status, batches[index].isUnacceptable) {
        case (200, false):
            let receipt = try answer.decoded(as: BatchReceipt.self)
            check(receipt, against: batches[index])
            batches[index].receipt = receipt
        case (422, true): batches[index].isRefused = true
        default:
            batches[index].isRefused = true
            findings.append("\(name): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
        return true
    }

    /// Resends an answered batch and checks that the answer is the same.
    private mutating func confirm(
        _ index: Int,
        _ gateway: GatewayCalls,
        _ killSwitch: KillSwitch
    ) async throws -> Bool {
        guard let receipt = batches[index].receipt else { return true }
        guard let answer = try await answer(to: batches[index], gateway, killSwitch) else { return false }
        let again = try? answer.decoded(as: BatchReceipt.self)
        if !answer.isReplay || again != receipt {
            findings.append(
                "\(name): the answer to a known key differs: \(receipt), \(answer.status), \(again as Any)"
            )
        }
        return true
    }

    private mutating func answer(
        to batch: SentBatch,
        _ gateway: GatewayCalls,
        _ killSwitch: KillSwitch
    ) async throws -> GatewayCalls.Answer? {
        let body = batch.body(pieces: .random(in: 1...4, using: &generator)) { await killSwitch.note(.piece) }
        return try await killSwitch.asking(.answer) {
            try await gateway.send(body, length: batch.lines.utf8.count, query: batch.query, key: batch.key)
        }
    }

    private mutating func check(_ receipt: BatchReceipt, against batch: SentBatch) {
        let rejected = batch.items.filter { !$0.isGood }
        let expected = batch.wantsAllResults ? batch.items : rejected
        let isRight =
            receipt.accepted == batch.goodItems.count && receipt.rejected == rejected.count
            && receipt.durability == durability && receipt.results.count == expected.count
            && zip(receipt.results, expected).allSatisfy { result, item in
                (result.status == 200) == item.isGood && (item.id == nil || result.id == item.id)
            }
        if !isRight { findings.append("\(name): a wrong receipt: \(receipt)") }
    }
}

extension SentBatch {
    /// Whether the batch must be sent again: it has a key, which makes that safe, and no answer.
    fileprivate var isOpen: Bool {
        key != nil && receipt == nil && !isRefused
    }

    /// Whether the batch was accepted and the gateway knows its key.
    fileprivate var isKeptByKey: Bool {
        key != nil && receipt != nil
    }

    /// The identifiers of the items that the sender knows, by name.
    var knownIDs: [(name: String, id: NotificationID)] {
        guard let receipt else { return items.compactMap { item in item.id.map { (item.name, $0) } } }
        return receipt.results.compactMap { result in
            guard result.status == 200, let id = result.id else { return nil }
            return (items[result.index].name, id)
        }
    }
}

extension GatewayCalls.Answer {
    /// Whether the gateway replayed an earlier answer.
    fileprivate var isReplay: Bool {
        header("idempotency-replayed") == "true"
    }
}
