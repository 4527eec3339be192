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
        latestNotifications = []
        for sending in sendings {
            if let channel = sending.channel {
                results.append(try await broadcast(sending, to: channel, &answer))
                continue
            }
            let items = try await items(of: sending)
            if sending.over == .provider {
                results += try await sendOverProviderAPI(items, &answer)
            } else {
                batch += items
            }
        }
        sentNotifications += latestNotifications
        if !batch.isEmpty { answer.add(try await environment.gateway.send(Self.jsonLines(batch))) }
        if !results.isEmpty { answer.document = .object(["results": .array(results)]) }
        try await settle()
        if let reason = answer.refusals.first, expectation?.allowsRefusal != true {
            throw StepFailure(
                "the gateway rejected what was sent: \(reason)",
                explanation: answer.refusalMessage.map { "The gateway says: \($0)" }
            )
        }
        return answer
    }

    /// Returns the notifications of a sending.
    private func items(of sending: Sending) async throws -> [BatchItem] {
        // The clock of an external gateway may be that of the machine.
        if sending.expiresIn != nil { now = try await environment.gateway.clock().now }
        let devices = (sending.to?.names ?? []).flatMap(scenario.deviceNames(for:))
        var items: [BatchItem] = []
        for device in devices {
            let token = try await token(for: sending, to: device)
            for number in 1...(sending.count ?? 1) {
                let id = sending.id ?? nextIdentifier()
                let title = sending.title(number: number, id: id)
                latestNotifications.append(SentNotification(id: id, device: device, title: title))
                items.append(try item(sending, number: number, to: token, id: id))
            }
        }
        markAsUnsettled(devices)
        return items
    }

    private func item(
        _ sending: Sending,
        number: Int,
        to token: DeviceToken,
        id: NotificationID
    ) throws(StepFailure) -> BatchItem {
        BatchItem(
            token: token,
            topic: sending.topic,
            pushType: sending.pushType,
            priority: sending.priority,
            expiration: sending.expiration(at: now),
            collapseID: sending.collapseID,
            id: id,
            payload: try sending.payload(number: number).replacingChannelName(with: channels)
        )
    }

    private static func jsonLines(_ items: [BatchItem]) throws -> [UInt8] {
        var lines: [UInt8] = []
        for item in items { lines += try JSONEncoder().encode(item) + [UInt8(ascii: "\n")] }
        return lines
    }

    /// Sends requests as an APNs client does, over one HTTP/2 connection.
    private func sendOverProviderAPI(_ items: [BatchItem], _ answer: inout StepAnswer) async throws -> [JSONValue] {
        guard let caCertificatePath = environment.urls.caCertificatePath else {
            throw StepFailure("the gateway has no provider listener with TLS, or no authority of its own")
        }
        let url = environment.urls.provider
        let configuration = ProviderClient.configuration(trusting: caCertificatePath)
        return try await HTTPClient.withHTTPClient(configuration: configuration) {
            let client = try providerClient($0, url)
            var results: [JSONValue] = []
            for item in items { results.append(answer.add(try await client.send(item))) }
            return results
        }
    }

    private func broadcast(_ sending: Sending, to name: String, _ answer: inout StepAnswer) async throws -> JSONValue {
        var sending = sending
        sending.pushType = sending.pushType ?? "liveactivity"
        let client = try providerClient(http, environment.urls.providerPlaintext)
        if sending.expiresIn != nil { now = try await environment.gateway.clock().now }
        let item = try item(sending, number: 1, to: "", id: sending.id ?? nextIdentifier())
        // A subscriber may be getting another token for starts, with which its app has the topic of the channel.
        for device in subscribers[name] ?? [] { try await appTokens(of: device) }
        markAllAsUnsettled()
        let response = try await client.broadcast(item, to: try channel(named: name))
        let title = sending.title ?? sending.body ?? name
        latestNotifications += (subscribers[name] ?? []).map {
            SentNotification(id: response.id ?? "", device: $0, title: title)
        }
        return answer.add(response)
    }

    func subscribe(_ subscription: Subscription) async throws -> StepAnswer {
        // An app with tokens of its own needs one for the topic of the channel.
        try await appTokens(of: subscription.device)
        let id = try await findOrCreateChannel(for: subscription)
        let path = "/v1/devices/\(try environment.token(of: subscription.device))/channels"
        let oldChannels: DeviceChannels = try await environment.service.get(path)
        let newChannels = DeviceChannels(channels: oldChannels.channels.filter { $0 != id } + [id])
        let answer: DeviceChannels = try await environment.service.put(path, newChannels)
        if subscribers[subscription.channel]?.contains(subscription.device) != true {
            subscribers[subscription.channel, default: []].append(subscription.device)
        }
        markAsUnsettled([subscription.device])
        try await settle()
        return StepAnswer(answer)
    }
}

extension JSONValue {
    /// The number of bytes of a channel's identifier.
    private static let channelSize = 16

    /// Returns a payload with the identifier of a channel in `input-push-channel`, if that is the name of one.
    ///
    /// - Parameter channels: the channels of the scenario by name.
    /// - Returns: the payload.
    /// - Throws: `StepFailure` if the value is neither a name nor an identifier.
    func replacingChannelName(with channels: [String: ChannelID]) throws(StepFailure) -> JSONValue {
        guard case .object(var payload) = self, case .object(var aps)? = payload["aps"],
            let name = aps["input-push-channel"]?.string
        else { return self }
        guard let id = channels[name] else {
            if Data(base64Encoded: name)?.count == Self.channelSize { return self }
            throw StepFailure(
                "input-push-channel: there is no channel '\(name)' yet; a step 'subscribe' creates it",
                explanation: "The identifier of a channel is accepted, too: \(Self.channelSize) bytes in base64."
            )
        }
        aps["input-push-channel"] = .string(id.rawValue)
        payload["aps"] = .object(aps)
        return .object(payload)
    }
}

extension StepAnswer {
    /// Adds the receipt of a batch.
    fileprivate mutating func add(_ receipt: BatchReceipt) {
        document = JSONValue(encoding: receipt)
        refusals += receipt.results.compactMap(\.reason)
        refusalMessage = refusalMessage ?? receipt.results.lazy.compactMap(\.message).first
    }

    /// Adds the response of the provider API, and returns it as JSON.
    fileprivate mutating func add(_ response: ProviderClient.Response) -> JSONValue {
        if response.status != 200 {
            refusals.append(response.reason ?? RejectionReason(rawValue: "\(response.status)"))
            refusalMessage = refusalMessage ?? response.message
        }
        var members: [String: JSONValue] = ["status": .integer(response.status)]
        members["reason"] = response.reason.map { .string($0.rawValue) }
        members["id"] = response.id.map { .string($0.rawValue) }
        return .object(members)
    }
}
