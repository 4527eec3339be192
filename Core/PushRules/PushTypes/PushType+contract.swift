internal import TextBasics
package import WaypostSchema

extension PushType {
    /// The push types that Apple documents.
    package static let documented = Set(PushTypeContract.all.compactMap(\.pushType))

    private static let contracts = Dictionary(
        uniqueKeysWithValues: PushTypeContract.all.compactMap { row in row.pushType.map { ($0, row) } }
    )

    /// The row of the push type; `nil` for a type that is not documented.
    package var contract: PushTypeContract? {
        // Most requests have this one, and need no hash.
        self == .alert ? .alert : Self.contracts[self]
    }

    /// The suffix of the topic for this push type.
    package var topicSuffix: String? {
        contract?.topicSuffix
    }
}

extension PushTypeContract {
    /// The suffix of the topic; `nil` for none.
    package var topicSuffix: String? {
        if case .suffix(let suffix) = topic.value { suffix } else { nil }
    }

    /// The key of an app's description with which a device accepts the suffixed topic; `nil` if there is none.
    package var descriptionKey: String? {
        guard topicSuffix != nil else { return nil }
        if pushType == "liveactivity" { return "supportsLiveActivities: true" }
        if let receiver = PushReceiver.allCases.first(where: { $0.pushType == pushType }) {
            return "pushReceivers: [\(receiver.rawValue)]"
        }
        return backgroundMode.map { "backgroundModes: [\($0.rawValue)]" }
    }

    /// Returns the row for a payload: that of a Wallet pass for the topic of one, or else that of the push type.
    package static func contract(for pushType: PushType, topic: Topic) -> PushTypeContract? {
        guard pushType == .alert || pushType == .background, case .prefix(let start) = walletPass.topic.value,
            topic.rawValue.hasPrefix(start)
        else { return pushType.contract }
        return walletPass
    }
}

extension PushReceiver {
    /// The push type for the receiver.
    package var pushType: PushType {
        switch self {
        case .fileProvider: "fileprovider"
        case .location, .complication, .widgets, .controls: PushType(rawValue: rawValue)
        }
    }
}

extension Topic {
    /// The suffixed topics, the longest suffix first.
    private static let suffixes = PushTypeContract.all.compactMap { row in row.topicSuffix.map { ($0, row) } }
        .sorted { $0.0.utf8.count > $1.0.utf8.count }

    /// The topic without the suffix of a push type, and the row of that type; `nil` if it has no such suffix.
    package var split: (base: Topic, contract: PushTypeContract)? {
        // Every request asks this, and `hasSuffix` would compare characters.
        let bytes = rawValue.utf8
        for (suffix, row) in Self.suffixes where bytes.count > suffix.utf8.count {
            guard bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) else { continue }
            return (Topic(rawValue: String(rawValue.dropLast(suffix.count))), row)
        }
        return nil
    }

    /// The push type of a notification for the topic that names none: that of the suffix, or an alert.
    package var impliedPushType: PushType {
        split?.contract.pushType ?? .alert
    }

    /// Whether only the devices of Waypost use the topic, for their messages and activities.
    package var isOfWaypost: Bool {
        self == .messages || self == .activities
    }

    /// Whether it can be a bundle identifier, with or without a suffix.
    package var isWellFormed: Bool {
        (1...255).contains(rawValue.utf8.count)
            && rawValue.utf8.allSatisfy { $0.isASCIIAlphanumeric || ".-_".utf8.contains($0) }
    }
}
