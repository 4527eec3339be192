import AsyncHTTPClient
import Foundation
import GatewayClient
import NIOCore
import NIOHTTP1
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// The clients of one gateway that loses power: senders, and agents that acknowledge.
struct DiskLoad: Sendable {
    let gateway: GatewayProcess
    let http: HTTPClient

    /// The agents; without any, nothing is sent.
    let agents: [DiskAgent]
    let expectations: DiskExpectations

    /// The prefix of the names of all notifications.
    let name: String

    /// The maximum size of a payload in bytes.
    let maximumSize: Int

    /// The number of answers after which the power fails, unless it fails before.
    let maximumAnswers: Int

    /// The signal that ends the gateway: SIGUSR2 with a power failure.
    let signal: Int32

    let seed: UInt64

    private var calls: GatewayCalls {
        GatewayCalls(ready: gateway.ready, http: http)
    }

    /// Uses the gateway until it has no power, and returns how it ended.
    func run() async -> LimitedEnd {
        await withTaskGroup(of: LimitedEnd?.self) { group in
            for sender in 0..<(agents.isEmpty ? 0 : 3) {
                group.addTask {
                    let seed = seed &+ UInt64(sender)
                    if sender == 0 {
                        await sendSingly("\(name)-s0", seed: seed)
                    } else {
                        await sendBatches("\(name)-s\(sender)", seed: seed)
                    }
                    return nil
                }
            }
            for agent in agents.indices {
                group.addTask {
                    await follow(agent, seed: seed &+ 100 &+ UInt64(agent))
                    return nil
                }
            }
            group.addTask { await failPower() }
            var end: LimitedEnd?
            for await result in group { end = result ?? end }
            return end ?? LimitedEnd(ended: nil, wasKilled: false)
        }
    }

    /// Waits for enough answers, at most 3 seconds, and lets the power fail.
    private func failPower() async -> LimitedEnd {
        try? await waitUntil("the gateway has answered enough", within: .seconds(3)) {
            let hasStopped = await expectations.hasStopped
            let answers = await expectations.answers
            return hasStopped || answers >= maximumAnswers
        }
        gateway.process.send(signal)
        let end = await gateway.process.end(within: .seconds(20))
        await expectations.stopGateway()
        return end
    }
}

/// Requests of senders.
extension DiskLoad {
    private func sendBatches(_ name: String, seed: UInt64) async {
        var generator = SeededGenerator(seed: seed)
        var number = 0
        while await !expectations.hasStopped {
            let count = [1, 1, 3, 8, 20, 60].randomElement(using: &generator) ?? 1
            let items = (0..<count).map { index in
                let agent = Int.random(in: agents.indices, using: &generator)
                return DiskItem("\(name)-\(number)-\(index)", to: agent, maximumSize: maximumSize, using: &generator)
            }
            number += 1
            let isAtomic = Bool.random(using: &generator)
            await expectations.add(items, isAtomic: isAtomic)
            do {
                let lines = items.map { $0.line(for: agents[$0.agent].token) }.joined()
                let answer = try await calls.send(lines, query: "?atomic=\(isAtomic)")
                await record(answer, of: items)
                try await pause()
            } catch {
                await expectations.stopGateway()
            }
        }
    }

    private func record(_ answer: GatewayCalls.Answer, of items: [DiskItem]) async {
        guard answer.status == 200 else {
            if answer.status == 507 { await expectations.count("refusals of a full disk") }
            let isUnknown = answer.status == 500 && answer.errorCode == "storeOutcomeUnknown"
            return await expectations.record(isUnknown ? .unknown : .refused, of: items)
        }
        await expectations.record(.stored, of: items)
        let receipt = try? answer.decoded(as: BatchReceipt.self)
        if receipt?.accepted != items.count || receipt?.durability != .fsync {
            await expectations.report("a batch of \(items.count) items has the receipt \(receipt as Any)")
        }
    }

    /// Sends notifications one by one, as APNs clients do.
    private func sendSingly(_ name: String, seed: UInt64) async {
        var generator = SeededGenerator(seed: seed)
        var number = 0
        while await !expectations.hasStopped {
            let agent = Int.random(in: agents.indices, using: &generator)
            let item = DiskItem("\(name)-\(number)", to: agent, maximumSize: maximumSize, using: &generator)
            number += 1
            await expectations.add([item], isAtomic: false)
            do {
                let status = try await push(item)
                // For APNs clients, 500 leaves the outcome open.
                await expectations.record(status == 200 ? .stored : status == 500 ? .unknown : .refused, of: [item])
                try await pause()
            } catch {
                await expectations.stopGateway()
            }
        }
    }

    private func push(_ item: DiskItem) async throws -> UInt {
        let url = (gateway.ready.providerPlaintext ?? "") + "/3/device/\(agents[item.agent].token)"
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "apns-topic", value: "\(DiskItem.topic)")
        request.headers.add(name: "apns-id", value: "\(item.id)")
        request.body = .bytes(ByteBuffer(string: item.payload))
        let response = try await http.execute(request, timeout: .seconds(30))
        _ = try await response.body.collect(upTo: 1 << 16)
        return response.status.code
    }
}

/// Agents.
extension DiskLoad {
    /// Reads the stream of an agent and acknowledges some of it, until there is no gateway.
    private func follow(_ agent: Int, seed: UInt64) async {
        var generator = SeededGenerator(seed: seed)
        while await !expectations.hasStopped {
            do {
                try await calls.follow(with: agents[agent].secret) { events in
                    var sequences: [Int] = []
                    for notification in try events.compactMap({ try $0.notification }) {
                        await expectations.receive(notification, by: agent)
                        sequences.append(notification.sequence)
                    }
                    let chosen = sequences.filter { _ in Int.random(in: 0..<3, using: &generator) > 0 }
                    try await acknowledge(chosen, agent)
                }
                // A gateway that ends by itself ends its streams.
                try await pause()
            } catch CallError.refused(status: _, _) {
                try? await pause()
            } catch let error as DecodingError {
                await expectations.report("agent \(agent) got an event that is not a notification: \(error)")
            } catch {
                await expectations.stopGateway()
            }
        }
    }

    private func acknowledge(_ sequences: [Int], _ agent: Int) async throws {
        guard !sequences.isEmpty else { return }
        await expectations.beginAcknowledgement(of: sequences)
        let receipt = try await calls.client.acknowledge(.sequences(sequences), with: agents[agent].secret)
        await expectations.confirmAcknowledgement(of: sequences, receipt: receipt)
    }
}

extension ServerSentEvent {
    /// The notification of an event; `nil` if it is an event of another type.
    var notification: DeliveredNotification? {
        get throws {
            guard type == "notification" else { return nil }
            return try JSONDecoder().decode(DeliveredNotification.self, from: Data(data.utf8))
        }
    }
}
