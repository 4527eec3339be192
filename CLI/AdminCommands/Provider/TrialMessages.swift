internal import Foundation
internal import ProviderTrials
internal import PushRules
internal import WaypostSchema

/// The messages of the loads of trials.
enum TrialMessages {
    /// The push types that accept provider tokens.
    static let contracts = PushTypeContract.all.filter { $0.pushType != nil && $0.authentication.value != .certificate }

    /// The maximum size of the payload of an alert.
    private static let maximumSize = PushType.alert.contract?.maximumSize.value ?? 4_096

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
            let size = maximumSize + (index % 3 == 1 ? 1 : 0)
            let payload = try alert(marker, filledTo: size, with: index % 3 == 2 ? "€" : "x")
            return message(index, payload, of: load, for: setup)
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
        let topic = Topic(rawValue: TrialSetup.topic.rawValue + (type.topicSuffix ?? ""))
        let payload = TrialPayload(marker: marker, timestamp: time.seconds + index)
        // A call or a transmission is worthless a minute later.
        let isUrgent = if case .within? = type.contract?.expiration.value { true } else { false }
        return message(
            index,
            payload.value(for: type),
            of: load,
            for: setup,
            topic: topic,
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

    private static func alert(_ marker: String, body: String? = nil) -> JSONValue {
        TrialPayload(marker: marker, timestamp: 0).alert(body ?? marker)
    }

    /// Returns an alert whose payload has a size in bytes, as UTF-8 without spaces between the tokens of JSON.
    private static func alert(_ marker: String, filledTo size: Int, with character: String) throws -> JSONValue {
        let missing = size - (try JSONOutput.line(alert(marker, body: "")).utf8.count)
        let (count, rest) = missing.quotientAndRemainder(dividingBy: character.utf8.count)
        let body = String(repeating: character, count: count) + String(repeating: "x", count: rest)
        return alert(marker, body: body)
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

    func value(for type: PushType) -> JSONValue {
        switch type.rawValue {
        case "alert": alert(marker)
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
        default: payload(nil, ["text": .string("Trial")])
        }
    }

    private func payload(_ aps: [String: JSONValue]?, _ members: [String: JSONValue] = [:]) -> JSONValue {
        var members = members
        if let aps { members["aps"] = .object(aps) }
        members["marker"] = .string(marker)
        return .object(members)
    }
}
