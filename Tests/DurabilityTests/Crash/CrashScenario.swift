import AsyncHTTPClient
import Foundation
import GatewayClient
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// The participants of the crash test: successive gateways on the same data, senders and agents.
struct CrashScenario: Sendable {
    /// The numbers of killed gateways: all, those killed while requests were outstanding, and those killed during
    /// start-up.
    private(set) var (kills, killsInFlight, killsWhileStarting) = (0, 0, 0)

    /// The number of requests that never got an answer.
    private(set) var unanswered = 0

    private(set) var senders: [Sender] = []
    private(set) var receivers: [Receiver] = []

    /// The final delivery log, by identifier.
    private(set) var log: [NotificationID: NotificationRecord] = [:]

    private let scratch: ScratchFolder
    private let store: String
    private let http: HTTPClient
    private var generator: SeededGenerator
    private var data: String { scratch.path(of: "data") }
    private var devices: [[DeviceToken]] = []

    /// Registers devices of three agents.
    ///
    /// Two of the agents read their streams during the crashes.
    init(_ http: HTTPClient, store: String, seed: UInt64) async throws {
        (self.http, self.store, scratch) = (http, store, try ScratchFolder())
        generator = SeededGenerator(seed: seed)
        let gateway = try await GatewayProcess.start(data: data, scratch, store: store)
        let client = GatewayCalls(ready: gateway.ready, http: http).client
        for number in 0..<3 {
            var secret: BearerSecret?
            var tokens: [DeviceToken] = []
            for device in 0..<3 {
                let credential = try await client.register(
                    DeviceRegistration(name: "iPad \(device)", topics: ["com.example.clowntown"], secret: secret)
                )
                secret = credential.secret
                tokens.append(credential.token)
            }
            guard let secret else { continue }
            receivers.append(Receiver("agent \(number)", secret: secret, seed: generator.next()))
            devices.append(tokens)
        }
        for number in 0..<6 {
            senders.append(
                Sender(
                    "s\(number)",
                    to: devices.flatMap { $0 },
                    // The database server of the tests does not sync.
                    durability: store == "sqlite" ? .fsync : .memory,
                    seed: generator.next()
                )
            )
        }
        _ = await gateway.stop()
    }

    /// Starts a gateway and kills it during start-up or while all participants use it.
    mutating func crash() async throws {
        kills += 1
        guard Int.random(in: 0..<6, using: &generator) > 0 else { return try await crashWhileStarting() }
        let plan = KillPlan(using: &generator)
        let gateway = try await GatewayProcess.start(data: data, scratch, store: store)
        let killSwitch = KillSwitch(gateway.process, plan, http)
        await live(GatewayCalls(ready: gateway.ready, http: http), killSwitch)
        _ = await gateway.process.ended()
        unanswered += killSwitch.unanswered
        if killSwitch.unanswered > 0 { killsInFlight += 1 }
    }

    private mutating func crashWhileStarting() async throws {
        killsWhileStarting += 1
        let readyFile = scratch.path(of: "ready-\(kills).json")
        let command = GatewayProcess.command(data: data, store: store, readyFile: readyFile)
        let process = try ChildProcess(command)
        await http.turn(.random(in: 0...12_000, using: &generator))
        process.send(SIGKILL)
        _ = await process.ended()
    }

    private mutating func live(_ gateway: GatewayCalls, _ killSwitch: KillSwitch) async {
        async let senders = Self.all(senders) { await $0.live(gateway, killSwitch) }
        async let readers = Self.all(Array(receivers.prefix(2))) { await $0.live(gateway, killSwitch) }
        self.senders = await senders
        receivers.replaceSubrange(0..<2, with: await readers)
    }

    /// Runs an action for all participants concurrently and returns their new states.
    private static func all<Person: Sendable>(
        _ people: [Person],
        _ act: @escaping @Sendable (inout Person) async -> Void
    ) async -> [Person] {
        await withTaskGroup(of: (Int, Person).self) { group in
            for (index, person) in people.enumerated() {
                group.addTask {
                    var person = person
                    await act(&person)
                    return (index, person)
                }
            }
            var after = people
            for await (index, person) in group { after[index] = person }
            return after
        }
    }

    /// Runs a last gateway until every repeatable request has its answer and every inbox is empty.
    ///
    /// - Returns: The receipts of the answered batches, each with the batch's status.
    mutating func settle() async throws -> [(receipt: BatchReceipt, status: BatchStatus?)] {
        let gateway = try await GatewayProcess.start(data: data, scratch, store: store)
        let calls = GatewayCalls(ready: gateway.ready, http: http)
        let killSwitch = KillSwitch(gateway.process, nil, http)
        for index in senders.indices { _ = try await senders[index].settle(calls, killSwitch) }
        try await drain(upTo: "the last", calls, killSwitch)
        log = try await calls.log()
        var statuses: [(BatchReceipt, BatchStatus?)] = []
        for receipt in senders.flatMap(\.batches).compactMap(\.receipt) {
            statuses.append((receipt, try await calls.status(of: receipt.id)))
        }
        _ = await gateway.stop()
        return statuses
    }

    /// Runs one more gateway and returns the number of notifications that it still delivers.
    mutating func leftOver() async throws -> Int {
        let before = receivers.map(\.deliveries).reduce(0) { $0 + $1.count + $1.duplicates }
        let gateway = try await GatewayProcess.start(data: data, scratch, store: store)
        let killSwitch = KillSwitch(gateway.process, nil, http)
        try await drain(upTo: "the very last", GatewayCalls(ready: gateway.ready, http: http), killSwitch)
        _ = await gateway.stop()
        let after = receivers.map(\.deliveries).reduce(0) { $0 + $1.count + $1.duplicates }
        return after - before - receivers.count
    }

    /// Sends every agent one more notification and reads the inbox up to that one.
    ///
    /// This is complete because sequences increase.
    private mutating func drain(upTo name: String, _ calls: GatewayCalls, _ killSwitch: KillSwitch) async throws {
        for (index, tokens) in devices.enumerated() {
            let line = #"{"token":"\#(tokens[0])","topic":"com.example.clowntown","payload":{"name":"\#(name)"}}"#
            let answer = try await calls.send(line)
            guard answer.status == 200 else { throw Refused(answer: answer) }
            try await receivers[index].drain(upTo: name, calls, killSwitch)
        }
    }

    struct Refused: Error {
        let answer: GatewayCalls.Answer
    }
}

extension CrashScenario {
    /// The violations that the participants observed.
    var findings: [String] {
        senders.flatMap(\.findings) + receivers.flatMap { $0.findings + $0.deliveries.findings }
    }

    /// Returns whether an agent received the item.
    func hasCome(_ item: SentBatch.Item) -> Bool {
        receivers.contains { $0.deliveries.has(item.name) }
    }

    /// Returns the identifier with which the item was delivered.
    func id(of name: String) -> NotificationID? {
        receivers.lazy.compactMap { $0.deliveries.id(of: name) }.first
    }
}
