internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import WaypostSchema

extension ScenarioRun {
    /// Sends notifications, and waits until the connected devices have acknowledged them.
    func send(_ sendings: [Sending], expecting expectation: Expectation?) async throws -> StepAnswer {
        var batch: [BatchItem] = []
        var answer = StepAnswer()
        var results: [JSONValue] = []
        lastSent = []
        for sending in sendings {
            if let channel = sending.channel {
                results.append(try await broadcast(sending, to: channel, &answer))
                continue
            }
            let items = try await items(of: sending)
            if sending.over == .provider {
                results += try await sendOneByOne(items, &answer)
            } else {
                batch += items
            }
        }
        sent += lastSent
        if !batch.isEmpty { answer.take(try await environment.gateway.send(Self.lines(batch))) }
        if !results.isEmpty { answer.document = .object(["results": .array(results)]) }
        try await settle()
        if let reason = answer.refusals.first, expectation?.isAboutARefusal != true {
            throw StepFailure(
                "the gateway rejected what was sent: \(reason)",
                explanation: answer.refusalMessage.map { "The gateway says: \($0)" }
            )
        }
        return answer
    }

    /// Returns the notifications of a sending.
    private func items(of sending: Sending) async throws -> [BatchItem] {
        // The clock of a given gateway may be the machine's.
        if sending.expiresIn != nil { now = try await environment.gateway.clock().now }
        let devices = (sending.to?.names ?? []).flatMap(scenario.devices(named:))
        var items: [BatchItem] = []
        for device in devices {
            for number in 1...(sending.count ?? 1) {
                let id = sending.id ?? nextIdentifier()
                let title = sending.title?.numbered(number) ?? sending.body ?? id.rawValue
                lastSent.append(Sent(id: id, device: device, title: title))
                items.append(item(sending, number, to: try environment.token(of: device), id: id))
            }
        }
        recordSend(to: devices)
        return items
    }

    private func item(_ sending: Sending, _ number: Int, to token: DeviceToken, id: NotificationID) -> BatchItem {
        BatchItem(
            token: token,
            topic: sending.topic,
            pushType: sending.pushType,
            priority: sending.priority,
            expiration: sending.expiration(at: now),
            collapseID: sending.collapseID,
            id: id,
            payload: sending.payload(number: number)
        )
    }

    private static func lines(_ items: [BatchItem]) throws -> [UInt8] {
        var lines: [UInt8] = []
        for item in items { lines += try JSONEncoder().encode(item) + [UInt8(ascii: "\n")] }
        return lines
    }

    /// Sends requests as an APNs client does, over one HTTP/2 connection.
    private func sendOneByOne(_ items: [BatchItem], _ answer: inout StepAnswer) async throws -> [JSONValue] {
        guard let authority = environment.urls.authority else {
            throw StepFailure("the certificate of the gateway is not known; use --ready-file of the gateway")
        }
        let url = environment.urls.provider
        return try await HTTPClient.withHTTPClient(configuration: ProviderClient.configuration(trusting: authority)) {
            let client = try providerClient($0, url)
            var results: [JSONValue] = []
            for item in items { results.append(answer.take(try await client.send(item))) }
            return results
        }
    }

    private func broadcast(_ sending: Sending, to name: String, _ answer: inout StepAnswer) async throws -> JSONValue {
        var sending = sending
        sending.pushType = sending.pushType ?? "liveactivity"
        let client = try providerClient(http, environment.urls.providerPlaintext)
        if sending.expiresIn != nil { now = try await environment.gateway.clock().now }
        let item = item(sending, 1, to: "", id: sending.id ?? nextIdentifier())
        recordSendToAll()
        let accepted = try await client.broadcast(item, to: try channel(name))
        let title = sending.title ?? sending.body ?? name
        lastSent += (subscribers[name] ?? []).map { Sent(id: accepted.id ?? "", device: $0, title: title) }
        return answer.take(accepted)
    }

    func subscribe(_ subscription: Subscription) async throws -> StepAnswer {
        let id = try await channel(subscription)
        let path = "/v1/devices/\(try environment.token(of: subscription.device))/channels"
        let current: DeviceChannels = try await environment.service.get(path)
        let changed = DeviceChannels(channels: current.channels.filter { $0 != id } + [id])
        let answer: DeviceChannels = try await environment.service.put(path, changed)
        if subscribers[subscription.channel]?.contains(subscription.device) != true {
            subscribers[subscription.channel, default: []].append(subscription.device)
        }
        recordSend(to: [subscription.device])
        try await settle()
        return StepAnswer(answer)
    }
}

extension StepAnswer {
    /// Takes the receipt of a batch.
    fileprivate mutating func take(_ receipt: BatchReceipt) {
        document = JSONValue(encoding: receipt)
        refusals += receipt.results.compactMap(\.reason)
        refusalMessage = refusalMessage ?? receipt.results.lazy.compactMap(\.message).first
    }

    /// Takes the answer of the provider API, and returns it as JSON.
    fileprivate mutating func take(_ answer: ProviderClient.Answer) -> JSONValue {
        if answer.status != 200 {
            refusals.append(answer.reason ?? RejectionReason(rawValue: "\(answer.status)"))
            refusalMessage = refusalMessage ?? answer.message
        }
        var members: [String: JSONValue] = ["status": .integer(answer.status)]
        members["reason"] = answer.reason.map { .string($0.rawValue) }
        members["id"] = answer.id.map { .string($0.rawValue) }
        return .object(members)
    }
}
