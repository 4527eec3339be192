import AsyncHTTPClient
import Deflate
import Foundation
import NIOCore
import NIOHTTP1
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// A sender of batches and provider requests, which waits for each answer before its next request.
struct CrashSender: CrashParticipant {
    let name: String

    private let devices: [CrashDevice]
    private let world: CrashWorld
    private var generator: SeededGenerator
    private var batches: [CrashBatch] = []
    private var pushes: [(item: CrashItem, token: DeviceToken)] = []
    private var itemCount = 0

    /// Creates a sender that has sent nothing.
    init(_ name: String, to devices: [CrashDevice], in world: CrashWorld, seed: UInt64) {
        (self.name, self.devices, self.world) = (name, devices, world)
        generator = SeededGenerator(seed: seed)
    }

    mutating func use(_ life: GatewayLife) async throws {
        guard try await sendOpenBatches(in: life) else { return }
        while !life.killSwitch.isOver {
            guard try await sendSomething(in: life) else { return }
        }
    }

    mutating func settle(_ life: GatewayLife) async throws {
        guard try await sendOpenBatches(in: life) else { return }
        for index in batches.indices where batches[index].key != nil && batches[index].id != nil {
            guard try await send(index, in: life) else { return }
        }
    }

    /// Returns `false` if the gateway was killed.
    private mutating func sendSomething(in life: GatewayLife) async throws -> Bool {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0:
            // A retry of what was answered, perhaps by an earlier gateway.
            let answered = batches.indices.filter { batches[$0].key != nil && batches[$0].id != nil }
            guard let index = answered.randomElement(using: &generator) else { return true }
            return try await send(index, in: life)
        case 1: return try await conflict(in: life)
        case 2:
            guard let push = pushes.suffix(20).randomElement(using: &generator) else { return true }
            return try await send(push, in: life)
        case 3...6: return try await push(in: life)
        default:
            let batch = CrashBatch(
                "\(name)-\(itemCount)",
                order: (name, itemCount),
                to: devices,
                in: world,
                using: &generator
            )
            itemCount += batch.items.count
            batches.append(batch)
            return try await send(batches.count - 1, in: life)
        }
    }

    // MARK: Batches

    /// Finds out which batches an earlier gateway stored after an answer 202, and sends every unanswered or lost batch
    /// that has a key again, in order, before anything else is sent.
    private mutating func sendOpenBatches(in life: GatewayLife) async throws -> Bool {
        for index in batches.indices {
            guard try await waitUntilStored(index, in: life) else { return false }
        }
        for index in batches.indices where batches[index].isOpen {
            guard try await send(index, in: life) else { return false }
            guard try await send(index, in: life) else { return false }
        }
        return true
    }

    private mutating func send(_ index: Int, in life: GatewayLife) async throws -> Bool {
        let batch = batches[index]
        guard !batch.isRefused else { return true }
        world.update { $0.begin(batch.items) }
        batches[index].requests += 1
        let request = request(batch.body, key: batch.key, of: batch, in: life)
        let answer = try await life.killSwitch.asking(.answer) { try await life.gateway.execute(request) }
        world.note(name, "\(batch.items[0].name) (\(batch.items.count)): \(answer?.status ?? 0)")
        guard let answer else { return false }
        switch answer.status {
        case 200: try take(answer, of: index)
        case 202 where batch.isAsynchronous:
            let id = try answer.decoded(as: BatchStatus.self).id
            batches[index].pendingID = id
            world.update { $0.queue(id) }
            return try await waitUntilStored(index, in: life)
        case 422 where batch.isAtomic:
            batches[index].isRefused = true
            world.update { $0.refuse(batch.items) }
        default:
            batches[index].isRefused = true
            world.report("\(batch.items[0].name): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
        return true
    }

    private mutating func request(
        _ body: [UInt8],
        key: String?,
        of batch: CrashBatch,
        in life: GatewayLife
    ) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: life.gateway.ready.service + "/v1/batches" + batch.query)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-ndjson")
        request.headers.add(name: "x-waypost-namespace", value: batch.namespace.rawValue)
        if let coding = batch.contentEncoding { request.headers.add(name: "content-encoding", value: coding) }
        if let key { request.headers.add(name: "idempotency-key", value: key) }
        if batch.isAsynchronous { request.headers.add(name: "prefer", value: "respond-async") }
        let count = Int.random(in: 1...4, using: &generator)
        let pieces = Pieces(body: ByteBuffer(bytes: body), count: count) { await life.killSwitch.note(.piece) }
        request.body = .stream(pieces, length: .known(Int64(body.count)))
        return request
    }

    private mutating func take(_ answer: GatewayCalls.Answer, of index: Int) throws {
        let batch = batches[index]
        let receipt = try answer.decoded(as: BatchReceipt.self)
        let isReplayed = answer.header("idempotency-replayed") == "true"
        let results = Dictionary(receipt.results.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
        world.update { model in
            model.record(receipt, isReplayed: isReplayed, isFirstRequest: batch.requests == 1)
            if let id = batch.id, let key = batch.key { model.checkKey(key, first: id, later: receipt.id) }
            for (place, item) in batch.items.enumerated() {
                let result = results[place]
                if let result, result.status != 200 {
                    model.reject(item.name, because: result.reason?.rawValue ?? "\(result.status)")
                } else {
                    model.accept(item.name, id: result?.id)
                }
            }
        }
        if receipt.accepted + receipt.rejected != batch.items.count {
            world.report("\(batch.items[0].name): \(batch.items.count) items, and the receipt is \(receipt)")
        }
        if batch.id == nil { batches[index].id = receipt.id }
    }

    /// Waits until a batch that was answered with 202 is stored, refused or lost.
    ///
    /// - Returns: `false` if the gateway was killed.
    private mutating func waitUntilStored(_ index: Int, in life: GatewayLife) async throws -> Bool {
        guard let id = batches[index].pendingID else { return true }
        let client = life.gateway.client(in: batches[index].namespace)
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end {
            let answer = try await life.answer { try await client.existingStatus(of: id) }
            guard let status = answer else { return false }
            if status?.phase != .pending {
                finish(index, id, as: status)
                return true
            }
            try await life.pause(1)
        }
        world.report("batch \(id) was answered with 202, and is not stored after 30 s")
        batches[index].pendingID = nil
        return true
    }

    private mutating func finish(_ index: Int, _ id: BatchID, as status: BatchStatus?) {
        world.note(name, "\(batches[index].items[0].name), after 202: \(status?.phase?.rawValue ?? "lost")")
        world.update { $0.endWaiting(of: id, batches[index].items, as: status) }
        batches[index].pendingID = nil
        guard let status else { return }
        if status.phase == .refused { batches[index].isRefused = true } else { batches[index].id = status.id }
    }

    /// Sends another body with a key that has an answer.
    private mutating func conflict(in life: GatewayLife) async throws -> Bool {
        let answered = batches.indices.filter { batches[$0].key != nil && batches[$0].id != nil }
        guard let batch = answered.randomElement(using: &generator).map({ batches[$0] }) else { return true }
        let body = Deflater.deflate(Array((batch.lines + batch.lines).utf8), as: batch.coding ?? .gzip)
        let plain = Array((batch.lines + batch.lines).utf8)
        let request = request(batch.coding == nil ? plain : body, key: batch.key, of: batch, in: life)
        let answer = try await life.killSwitch.asking(.answer) { try await life.gateway.execute(request) }
        guard let answer else { return false }
        if answer.status != 409 { world.report("another body with \(batch.key ?? "") got \(answer.status)") }
        return true
    }

    // MARK: Provider requests

    private mutating func push(in life: GatewayLife) async throws -> Bool {
        guard let device = devices.randomElement(using: &generator) else { return true }
        let now = world.update { $0.now(in: device.namespace).seconds }
        let item = CrashItem(
            "\(name)-\(itemCount)-push",
            id: NotificationID(rawValue: UUIDText.random(using: &generator)),
            sender: name,
            number: itemCount,
            devices: [device.name],
            namespace: device.namespace,
            expiration: CrashItem.expiration(in: device.namespace, now: now, using: &generator),
            collapseID: CrashItem.collapseID(using: &generator),
            expectation: device.rotates ? .either : .acceptance
        )
        itemCount += 1
        let push = (item: item, token: world.token(of: device))
        pushes.append(push)
        return try await send(push, in: life)
    }

    /// Sends a provider request, perhaps again with the same `apns-id`, which adds another notification.
    private func send(
        _ push: (item: CrashItem, token: DeviceToken),
        in life: GatewayLife
    ) async throws -> Bool {
        let item = push.item
        world.update { $0.begin([item]) }
        let request = Self.request(for: item, to: push.token, at: life.gateway.ready)
        let answer = try await life.killSwitch.asking(.answer) { try await life.gateway.execute(request) }
        world.note(name, "\(item.name): \(answer?.status ?? 0)")
        guard let answer else { return false }
        if answer.status == 200 {
            let id = answer.header("apns-id").map { NotificationID(rawValue: $0) }
            world.update { $0.accept(item.name, id: id) }
        } else {
            let reason = "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
            world.update { $0.reject(item.name, because: reason) }
        }
        return true
    }

    private static func request(
        for item: CrashItem,
        to token: DeviceToken,
        at gateway: GatewayReadyFile
    ) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: (gateway.providerPlaintext ?? "") + "/3/device/\(token)")
        request.method = .POST
        request.headers.add(name: "apns-topic", value: CrashWorld.topic.rawValue)
        request.headers.add(name: "apns-push-type", value: "alert")
        if let id = item.id { request.headers.add(name: "apns-id", value: id.rawValue) }
        if let time = item.expiration { request.headers.add(name: "apns-expiration", value: "\(time)") }
        if let collapseID = item.collapseID { request.headers.add(name: "apns-collapse-id", value: collapseID) }
        request.body = .bytes(ByteBuffer(string: item.payload))
        return request
    }
}
