import AsyncHTTPClient
import GatewayClient
import NIOCore
import NIOHTTP1
import ProcessTestSupport
import WaypostSchema
import WaypostTestSupport

/// Moves the manual clock of a namespace.
struct ClockMover: CrashParticipant {
    let name = "clock"

    private let world: CrashWorld
    private var generator: SeededGenerator

    /// Creates the participant.
    init(_ world: CrashWorld, seed: UInt64) {
        self.world = world
        generator = SeededGenerator(seed: seed)
    }

    mutating func use(_ life: GatewayLife) async throws {
        let client = life.gateway.client(in: CrashWorld.movingNamespace)
        guard let reading = try await life.answer(to: { try await client.clock() }) else { return }
        world.update { $0.read(reading.now, of: CrashWorld.movingNamespace) }
        while !life.killSwitch.isOver {
            try await life.pause(.random(in: 1...20, using: &generator))
            guard try await advance(by: .random(in: 0...3_000, using: &generator), in: life) else { return }
        }
    }

    /// Moves the clock past all expirations.
    mutating func settle(_ life: GatewayLife) async throws {
        _ = try await advance(by: 60_000, in: life)
    }

    private func advance(by milliseconds: Int, in life: GatewayLife) async throws -> Bool {
        let namespace = CrashWorld.movingNamespace
        let time = world.update { model in
            let time = Timestamp(milliseconds: model.now(in: namespace).rawValue + milliseconds)
            model.beginAdvance(of: namespace, to: time)
            return time
        }
        // An earlier request without an answer may have moved the clock further already.
        let client = life.gateway.client(in: namespace)
        guard let reading = try await life.answer(to: { try await client.clock() }) else { return false }
        let target = max(time, reading.now)
        world.update { $0.beginAdvance(of: namespace, to: target) }
        let moved = try await life.answer { try await client.advanceClock(ClockAdvance(to: target)) }
        guard let moved else { return false }
        world.note(name, "\(moved.now.rawValue)")
        world.update { $0.read(moved.now, of: namespace) }
        return true
    }
}

/// Replaces the token of a device.
struct TokenRotator: CrashParticipant {
    let name = "rotator"

    private let device: CrashDevice
    private let world: CrashWorld
    private var generator: SeededGenerator

    /// The token of a request that has no answer.
    private var pendingToken: DeviceToken?

    /// Creates the participant.
    init(_ device: CrashDevice, in world: CrashWorld, seed: UInt64) {
        (self.device, self.world) = (device, world)
        generator = SeededGenerator(seed: seed)
    }

    mutating func use(_ life: GatewayLife) async throws {
        try await settle(life)
        while !life.killSwitch.isOver && pendingToken == nil {
            try await life.pause(.random(in: 5...60, using: &generator))
            let token = DeviceToken.random(using: &generator)
            let old = world.token(of: device)
            pendingToken = token
            world.note(name, "\(old) to \(token)")
            let answer = try await life.answer {
                try await life.gateway.client.rotate(old, with: TokenRotation(token: token))
            }
            world.note(name, "\(old) to \(token): \(answer == nil ? "no answer" : "done")")
            guard answer != nil else { return }
            world.set(token, of: device.name)
            pendingToken = nil
        }
    }

    /// Finds out whether the last request had its effect, and checks that the token is active.
    mutating func settle(_ life: GatewayLife) async throws {
        if let token = pendingToken {
            guard let isNew = try await life.answer(to: { try await life.gateway.isActive(token) }) else { return }
            if isNew { world.set(token, of: device.name) }
            pendingToken = nil
        }
        let token = world.token(of: device)
        guard let isActive = try await life.answer(to: { try await life.gateway.isActive(token) }) else { return }
        if !isActive { world.report("the token \(token) of \(device.name) is not active any longer") }
    }
}

/// Fills a namespace that nobody reads, and resets it.
struct NamespaceResetter: CrashParticipant {
    let name = "resetter"

    private let world: CrashWorld
    private var generator: SeededGenerator
    private var number = 0
    private var itemCount = 0

    /// The device, once a request to register it was sent.
    private var device: CrashDevice?

    /// Whether a request to reset the namespace has no answer.
    private var isResetting = false

    /// Creates the participant.
    init(_ world: CrashWorld, seed: UInt64) {
        self.world = world
        generator = SeededGenerator(seed: seed)
    }

    mutating func use(_ life: GatewayLife) async throws {
        while !life.killSwitch.isOver {
            guard try await resume(in: life), try await fill(in: life), try await checkInbox(in: life) else { return }
            if Bool.random(using: &generator) { guard try await reset(in: life) else { return } }
            try await life.pause(.random(in: 0...10, using: &generator))
        }
    }

    mutating func settle(_ life: GatewayLife) async throws {
        guard try await resume(in: life) else { return }
        _ = try await checkInbox(in: life)
    }

    /// Finds out whether requests without an answer had their effect; registers a device if there is none.
    private mutating func resume(in life: GatewayLife) async throws -> Bool {
        if let device {
            let token = world.token(of: device)
            let found = try await life.answer { try await life.gateway.isActive(token, in: device.namespace) }
            guard let found else { return false }
            if found {
                isResetting = false
                return true
            }
            // Without a reset, the device may be missing only if its registration got no answer.
            if !isResetting && itemCount > 0 { world.report("\(device.name) is gone without a reset") }
            world.update { $0.purge(device: device.name) }
        }
        return try await register(in: life)
    }

    private mutating func register(in life: GatewayLife) async throws -> Bool {
        number += 1
        (isResetting, itemCount) = (false, 0)
        let device = CrashDevice(name: "reset \(number)", namespace: CrashWorld.resetNamespace)
        let token = DeviceToken.random(using: &generator)
        world.set(token, of: device.name)
        self.device = device
        let client = life.gateway.client(in: device.namespace)
        let registration = DeviceRegistration(name: device.name, topics: [CrashWorld.topic], token: token)
        return try await life.answer { try await client.register(registration) } != nil
    }

    private mutating func fill(in life: GatewayLife) async throws -> Bool {
        guard let device else { return true }
        let items = (0..<Int.random(in: 1...10, using: &generator)).map { index in
            CrashItem(
                "\(device.name)-\(itemCount + index)",
                sender: name,
                number: itemCount + index,
                devices: [device.name],
                namespace: device.namespace
            )
        }
        itemCount += items.count
        world.update { $0.begin(items) }
        let token = world.token(of: device)
        var request = HTTPClientRequest(url: life.gateway.ready.service + "/v1/batches")
        request.method = .POST
        request.headers.add(name: "x-waypost-namespace", value: device.namespace.rawValue)
        let lines = items.map { $0.line(to: token) + "\n" }.joined()
        request.body = .bytes(ByteBuffer(string: lines))
        guard let answer = try await life.answer(to: { [request] in try await life.gateway.execute(request) }) else {
            return false
        }
        world.update { model in
            for item in items {
                if answer.status == 200 {
                    model.accept(item.name, id: nil)
                } else {
                    model.reject(item.name, because: "\(answer.status)")
                }
            }
        }
        return true
    }

    /// Checks that the inbox has everything that was confirmed, and nothing from before a reset.
    private func checkInbox(in life: GatewayLife) async throws -> Bool {
        guard let device else { return true }
        let (client, token) = (life.gateway.client(in: device.namespace), world.token(of: device))
        var names: [String] = []
        var next: Int? = 0
        while let after = next {
            let answer = try await life.answer { try await client.inbox(of: token, after: after, limit: 100) }
            guard let page = answer else { return false }
            names += page.notifications.map { $0.notification.payload["name"]?.string ?? "" }
            next = page.next
        }
        let findings = world.update { [names] in $0.inboxFindings(of: device.name, names) }
        for finding in findings { world.report(finding) }
        return true
    }

    private mutating func reset(in life: GatewayLife) async throws -> Bool {
        guard let device else { return true }
        isResetting = true
        let answer: Void? = try await life.answer { try await life.gateway.client.reset(device.namespace) }
        world.note(name, "\(device.name): \(answer == nil ? "no answer" : "reset")")
        guard answer != nil else { return false }
        world.update { $0.purge(device: device.name) }
        let token = world.token(of: device)
        let found = try await life.answer { try await life.gateway.isActive(token, in: device.namespace) }
        guard let found else { return false }
        if found { world.report("\(device.name) is there after its namespace was reset") }
        return true
    }
}

/// Sends messages to a broadcast channel.
struct CrashBroadcaster: CrashParticipant {
    let name = "broadcaster"

    private let channel: ChannelID
    private let devices: [CrashDevice]
    private let world: CrashWorld
    private var generator: SeededGenerator
    private var itemCount = 0

    /// Creates a sender to a channel, with the devices that are subscribed to it.
    init(_ channel: ChannelID, to devices: [CrashDevice], in world: CrashWorld, seed: UInt64) {
        (self.channel, self.devices, self.world) = (channel, devices, world)
        generator = SeededGenerator(seed: seed)
    }

    mutating func use(_ life: GatewayLife) async throws {
        while !life.killSwitch.isOver {
            try await life.pause(.random(in: 1...10, using: &generator))
            let item = CrashItem(
                "\(name)-\(itemCount)",
                id: NotificationID(rawValue: UUIDText.random(using: &generator)),
                sender: name,
                number: itemCount,
                devices: devices.map(\.name),
                collapseID: channel.rawValue
            )
            itemCount += 1
            world.update { $0.begin([item]) }
            let request = item.broadcast(to: channel, at: life.gateway.ready)
            guard let answer = try await life.answer(to: { try await life.gateway.execute(request) }) else { return }
            if answer.status == 200 {
                world.update { $0.accept(item.name, id: nil) }
            } else {
                let reason = "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
                world.update { $0.reject(item.name, because: reason) }
            }
        }
    }
}

extension DeviceToken {
    /// Returns a random token, as long as those of the gateway.
    static func random(using generator: inout SeededGenerator) -> Self {
        let digits = (0..<64).map { _ in String(Int.random(in: 0..<16, using: &generator), radix: 16) }
        return Self(rawValue: digits.joined())
    }
}

extension GatewayCalls {
    /// Returns whether a device has a token, and the token is active.
    func isActive(_ token: DeviceToken, in namespace: Namespace = .standard) async throws(CallError) -> Bool {
        do throws(CallError) {
            return try await client(in: namespace).device(token).standing == .active
        } catch {
            guard case .refused(status: 404, _) = error else { throw error }
            return false
        }
    }
}
