import AsyncHTTPClient
import GatewayClient
import NIOCore
import NIOHTTP1
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// Creates and deletes broadcast channels, and sends messages to those that exist, that are being deleted, and that were
/// deleted.
struct CrashChannels: CrashParticipant {
    let name = "channels"

    private let devices: [CrashDevice]
    private let world: CrashWorld
    private var generator: SeededGenerator
    private var itemCount = 0

    /// The channel to which messages are sent, and whether its devices are subscribed.
    private var channel: ChannelID?
    private var isSubscribed = false

    /// Channels that may be deleted.
    private var formerChannels: [ChannelID] = []

    /// Creates the participant, with devices that it subscribes to its channels.
    init(to devices: [CrashDevice], in world: CrashWorld, seed: UInt64) {
        (self.devices, self.world) = (devices, world)
        generator = SeededGenerator(seed: seed)
    }

    mutating func use(_ life: GatewayLife) async throws {
        try await settle(life)
        while !life.killSwitch.isOver {
            guard try await doSomething(in: life) else { return }
            try await life.pause(.random(in: 0...10, using: &generator))
        }
    }

    /// Checks which channels exist.
    mutating func settle(_ life: GatewayLife) async throws {
        let client = Self.client(of: life)
        let answer = try await life.answer { try await client.channels(of: CrashWorld.topic) }
        guard let present = answer else { return }
        world.update { $0.observeChannels(Set(present)) }
        if let channel, !present.contains(channel) { leave(channel) }
    }

    private static func client(of life: GatewayLife) -> ChannelClient {
        ChannelClient(life.gateway.http, provider: life.gateway.ready.providerPlaintext ?? "")
    }

    private mutating func leave(_ channel: ChannelID) {
        self.channel = nil
        isSubscribed = false
        formerChannels.append(channel)
    }

    /// Returns `false` if the gateway was killed.
    private mutating func doSomething(in life: GatewayLife) async throws -> Bool {
        guard let channel else { return try await create(in: life) }
        guard isSubscribed else { return try await subscribe(to: channel, in: life) }
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return try await delete(channel, in: life)
        case 1: return try await deleteAndSend(channel, in: life)
        case 2, 3:
            guard let former = formerChannels.randomElement(using: &generator) else { return true }
            return try await send(to: former, in: life)
        default: return try await send(to: channel, in: life)
        }
    }

    private mutating func create(in life: GatewayLife) async throws -> Bool {
        world.update { $0.beginChannel() }
        let client = Self.client(of: life)
        let created = try await life.answer {
            try await client.create(ChannelClient.Configuration(.newest), of: CrashWorld.topic)
        }
        world.note(name, "create: \(created?.rawValue ?? "no answer")")
        guard let created else { return false }
        world.update { $0.createChannel(created) }
        channel = created
        return true
    }

    /// Subscribes the devices before the first message, so that none of them gets one that was sent before.
    private mutating func subscribe(to channel: ChannelID, in life: GatewayLife) async throws -> Bool {
        for device in devices {
            let (client, token) = (life.gateway.client(in: device.namespace), world.token(of: device))
            let answer: Void? = try await life.answer { try await client.setChannels([channel], of: token) }
            guard answer != nil else { return false }
        }
        isSubscribed = true
        return true
    }

    private mutating func delete(_ channel: ChannelID, in life: GatewayLife) async throws -> Bool {
        world.update { $0.beginDeletion(of: channel) }
        let client = Self.client(of: life)
        let answer: Void? = try await life.answer { try await client.delete(channel, of: CrashWorld.topic) }
        return finishDeletion(of: channel, isAnswered: answer != nil)
    }

    private mutating func finishDeletion(of channel: ChannelID, isAnswered: Bool) -> Bool {
        world.note(name, "delete \(channel): \(isAnswered ? "done" : "no answer")")
        guard isAnswered else { return false }
        world.update { $0.confirmDeletion(of: channel) }
        leave(channel)
        return true
    }

    /// Deletes a channel while a message is sent to it, which may reach all, some or none of its devices.
    private mutating func deleteAndSend(_ channel: ChannelID, in life: GatewayLife) async throws -> Bool {
        world.update { $0.beginDeletion(of: channel) }
        let item = item(to: channel)
        world.update { $0.begin([item]) }
        let (client, request) = (Self.client(of: life), item.broadcast(to: channel, at: life.gateway.ready))
        async let deletion: Void? = life.answer { try await client.delete(channel, of: CrashWorld.topic) }
        async let sending = life.answer { try await life.gateway.execute(request) }
        let (deleted, answer): (Void?, GatewayCalls.Answer?) = (try await deletion, try await sending)
        if let answer, answer.status != 200 { world.update { $0.reject(item.name, because: "\(answer.status)") } }
        return finishDeletion(of: channel, isAnswered: deleted != nil)
    }

    private mutating func send(to channel: ChannelID, in life: GatewayLife) async throws -> Bool {
        let item = item(to: channel)
        world.update { $0.begin([item]) }
        let request = item.broadcast(to: channel, at: life.gateway.ready)
        guard let answer = try await life.answer(to: { try await life.gateway.execute(request) }) else { return false }
        if answer.status == 200 {
            world.update { $0.accept(item.name, id: nil) }
        } else {
            let reason = "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
            world.update { $0.reject(item.name, because: reason) }
        }
        return true
    }

    private mutating func item(to channel: ChannelID) -> CrashItem {
        itemCount += 1
        let expectation = world.update { $0.channels.expectation(of: channel) }
        return CrashItem(
            "\(name)-\(itemCount)",
            id: NotificationID(rawValue: UUIDText.random(using: &generator)),
            sender: name,
            number: itemCount,
            devices: expectation == .rejection ? [] : devices.map(\.name),
            collapseID: channel.rawValue,
            expectation: expectation
        )
    }
}

extension CrashItem {
    /// Returns the request that sends the item to a broadcast channel.
    func broadcast(to channel: ChannelID, at gateway: GatewayReadyFile) -> HTTPClientRequest {
        let path = "/4/broadcasts/apps/\(CrashWorld.topic)"
        var request = HTTPClientRequest(url: (gateway.providerPlaintext ?? "") + path)
        request.method = .POST
        request.headers.add(name: "apns-channel-id", value: channel.rawValue)
        request.headers.add(name: "apns-push-type", value: "liveactivity")
        if let id { request.headers.add(name: "apns-request-id", value: id.rawValue) }
        let content = #"{"event":"update","timestamp":\#(number + 1),"content-state":{}}"#
        request.body = .bytes(ByteBuffer(string: #"{"aps":\#(content),"name":"\#(name)"}"#))
        return request
    }
}
