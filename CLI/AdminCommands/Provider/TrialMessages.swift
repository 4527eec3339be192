internal import Foundation
internal import ProviderTrials
internal import PushRules
internal import WaypostSchema

/// The messages of the loads of trials.
enum TrialMessages {
    /// The push types that accept provider tokens.
    static let contracts = PushTypeContract.all.filter { $0.pushType != nil && $0.authentication.value != .certificate }

    /// Returns the messages of a load.
    ///
    /// - Parameters:
    ///   - load: the load.
    ///   - name: the beginning of the markers, which no other load has.
    ///   - setup: the devices and the keys.
    ///   - time: the time by the clock of the provider.
    /// - Returns: the messages, in order.
    /// - Throws: `EncodingError` if a payload cannot be measured.
    static func messages(
        of load: TrialLoad,
        named name: String,
        for setup: TrialSetup,
        at time: Timestamp
    ) throws -> [TrialMessage] {
        try (0..<load.messages).map { index in
            let number = String(repeating: "0", count: max(0, 4 - "\(index)".count)) + "\(index)"
            return try message(index, of: load, marker: "\(name)-\(number)", for: setup, at: time)
        }
    }

    private static func message(
        _ index: Int,
        of load: TrialLoad,
        marker: String,
        for setup: TrialSetup,
        at time: Timestamp
    ) throws -> TrialMessage {
        let contract = contracts[index % contracts.count]
        switch load.kind {
        case .alert: return message(index, alert(marker), of: load, for: setup)
        case .twoTeams:
            let topic = index.isMultiple(of: 2) ? TrialSetup.topic : TrialSetup.secondTopic
            return message(index, alert(marker), of: load, for: setup, topic: topic)
        case .expirations:
            let wish = [TrialMessage.now, TrialMessage.hour, nil][index % 3]
            return message(index, alert(marker), of: load, for: setup, expiration: wish)
        case .sizes:
            let size = TrialPayloadSize.size(at: index)
            return message(index, try payload(of: size, marker: marker), of: load, for: setup, as: size.pushType)
        case .liveActivity: return typed("liveactivity", index, of: load, marker: marker, for: setup, at: time)
        case .pushTypes:
            return typed(contract.pushType ?? .alert, index, of: load, marker: marker, for: setup, at: time)
        }
    }

    /// Returns a message of a push type.
    private static func typed(
        _ type: PushType,
        _ index: Int,
        of load: TrialLoad,
        marker: String,
        for setup: TrialSetup,
        at time: Timestamp
    ) -> TrialMessage {
        let payload = TrialPayload(marker: marker, timestamp: time.seconds + index)
        return message(index, payload.value(for: type), of: load, for: setup, as: type)
    }

    /// Returns a message with a payload, and with the topic and the expiration of its push type.
    private static func message(
        _ index: Int,
        _ payload: JSONValue,
        of load: TrialLoad,
        for setup: TrialSetup,
        as type: PushType
    ) -> TrialMessage {
        // A call or a transmission is worthless a minute later.
        let isUrgent = if case .within? = type.contract?.expiration.value { true } else { false }
        return message(
            index,
            payload,
            of: load,
            for: setup,
            topic: Topic(rawValue: TrialSetup.topic.rawValue + (type.topicSuffix ?? "")),
            pushType: type,
            expiration: isUrgent ? TrialMessage.now : nil
        )
    }

    private static func message(
        _ index: Int,
        _ payload: JSONValue,
        of load: TrialLoad,
        for setup: TrialSetup,
        topic: Topic = TrialSetup.topic,
        pushType: PushType = .alert,
        expiration: String? = nil
    ) -> TrialMessage {
        let key = setup.key(for: topic)
        return TrialMessage(
            marker: payload["marker"]?.string ?? "",
            token: setup.tokens[load.device(index)].rawValue,
            registeredAt: setup.registeredAt.seconds,
            topic: topic.rawValue,
            pushType: pushType.rawValue,
            expiration: expiration,
            teamID: key?.team.rawValue ?? "",
            keyID: key?.id.rawValue ?? "",
            keyFile: key?.file ?? "",
            payload: payload
        )
    }

    private static func alert(_ marker: String) -> JSONValue {
        TrialPayload(marker: marker, timestamp: 0).alert(marker)
    }

    /// Returns a payload of a size: its text is as long as that needs.
    private static func payload(of size: TrialPayloadSize, marker: String) throws -> JSONValue {
        let payload = TrialPayload(marker: marker, timestamp: 0)
        let missing = size.bytes - (try JSONOutput.line(payload.value(for: size.pushType, text: "")).utf8.count)
        let (count, rest) = missing.quotientAndRemainder(dividingBy: size.character.utf8.count)
        let text = String(repeating: size.character, count: count) + String(repeating: "x", count: rest)
        return payload.value(for: size.pushType, text: text)
    }
}

extension TrialMessage {
    /// The wish that a message is delivered now or not at all.
    static let now = "now"

    /// The wish that a message expires in an hour.
    static let hour = "hour"
}

extension TrialLoad {
    /// Returns the device of a message.
    func device(_ index: Int) -> Int {
        devices.lowerBound + index % max(1, devices.count)
    }
}

/// The payloads of messages, each with everything that its push type needs.
private struct TrialPayload {
    /// The marker, which is beside `aps`.
    let marker: String

    /// The time in seconds since 1970.
    let timestamp: Int

    func alert(_ body: String) -> JSONValue {
        payload(["alert": .object(["title": .string("Trial"), "body": .string(body)])])
    }

    /// Returns the payload of a push type; an alert or a call has the text.
    func value(for type: PushType, text: String? = nil) -> JSONValue {
        switch type.rawValue {
        case "alert": alert(text ?? marker)
        case "background": payload(["content-available": .integer(1)])
        case "controls", "widgets": payload(["content-changed": .bool(true)])
        case "fileprovider":
            payload(
                nil,
                [
                    "container-identifier": .string("NSFileProviderWorkingSetContainerItemIdentifier"),
                    "domain": .string("trial"),
                ]
            )
        case "liveactivity":
            payload([
                "event": .string("update"), "timestamp": .integer(timestamp),
                "content-state": .object(["text": .string(marker)]),
            ])
        case "nowplaying":
            payload([
                "event": .string("update"), "timestamp": .integer(timestamp),
                "attributes": .object(["id": .string("trial"), "title": .string(marker)]),
            ])
        default: payload(nil, ["text": .string(text ?? "Trial")])
        }
    }

    private func payload(_ aps: [String: JSONValue]?, _ members: [String: JSONValue] = [:]) -> JSONValue {
        var members = members
        if let aps { members["aps"] = .object(aps) }
        members["marker"] = .string(marker)
        return .object(members)
    }
}
