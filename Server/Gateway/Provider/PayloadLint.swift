internal import JSONScanning
internal import WaypostSchema

/// What is unusual about a payload, by the keys that Apple describes ("Generating a remote notification").
///
/// APNs takes any JSON object; what a device makes of it is another matter, and nobody is told. Here the sender is.
enum PayloadLint {
    /// Returns what is unusual, in the order in which it stands there.
    ///
    /// - Throws: `ProviderRefusal` where the payload is no JSON object.
    static func findings(in payload: [UInt8], _ pushType: PushType) throws(ProviderRefusal) -> [NotificationFinding] {
        let document: JSONDocument
        do {
            document = try JSONDocument(payload)
        } catch {
            throw ProviderRefusal(.payloadEmpty, "the payload is not JSON: \(error), at byte \(error.offset)")
        }
        guard case .object(let members) = document.root.value else {
            throw ProviderRefusal(.payloadEmpty, "the payload must be a JSON object")
        }
        var findings = repetitions(of: members, in: "the payload")
        guard case .object(let aps)? = members.last(where: { $0.name == "aps" })?.value.value else {
            // Of a push to an MDM client the payload is another.
            let isExpected = pushType == "mdm"
            return isExpected
                ? findings
                : findings + [finding(.missingAps, "the payload has no 'aps' object, which is what devices read")]
        }
        findings += repetitions(of: aps, in: "'aps'")
        findings += aps.compactMap(finding(of:))
        if pushType == .background { findings += background(aps) }
        return findings
    }

    private static func repetitions(of members: [JSONMember], in place: String) -> [NotificationFinding] {
        var seen: Set<String> = []
        return members.filter { !seen.insert($0.name).inserted }.map {
            finding(.repeatedKey, "'\($0.name)' stands in \(place) more than once")
        }
    }

    private static func finding(of member: JSONMember) -> NotificationFinding? {
        guard let kind = kinds[member.name] else {
            return finding(.unknownApsKey, "'\(member.name)' is ignored in 'aps': an app's own keys stand beside it")
        }
        guard kind.includes(member.value.value) else {
            return finding(.wrongApsValue, "'\(member.name)' has to be \(kind.description)")
        }
        guard member.name == "target-content-id", case .string(let text) = member.value.value else { return nil }
        return targetContentIdentifier(text)
    }

    /// An identifier is compared with what scenes say they are about, so that it is a word; a URL is the usual choice.
    private static func targetContentIdentifier(_ text: String) -> NotificationFinding? {
        let isWord = !text.isEmpty && !text.unicodeScalars.contains { $0.properties.isWhitespace || $0.value < 0x20 }
        guard !isWord else { return nil }
        return finding(
            .targetContentIdentifier,
            "'target-content-id' is '\(text)', which is neither a URL nor an identifier without spaces"
        )
    }

    private static func background(_ aps: [JSONMember]) -> [NotificationFinding] {
        let shown = aps.map(\.name).filter { ["alert", "badge", "sound"].contains($0) }
        let isAvailable = aps.contains { $0.name == "content-available" }
        guard !shown.isEmpty || !isAvailable else { return [] }
        return [
            finding(
                .backgroundContent,
                "a background push has 'content-available': 1 and none of 'alert', 'badge' and 'sound'"
            )
        ]
    }

    private static func finding(_ code: NotificationFinding.Code, _ message: String) -> NotificationFinding {
        NotificationFinding(code: code, message: message)
    }
}

// MARK: What the keys of `aps` take

extension PayloadLint {
    /// What a key takes.
    private enum Kind {
        case text
        case textOrObject
        case number
        case whole
        case array
        case flag
        case one
        case object
        case choice([String])

        func includes(_ value: JSONNode.Value) -> Bool {
            switch (self, value) {
            case (.text, .string), (.textOrObject, .string), (.textOrObject, .object), (.object, .object),
                (.number, .number), (.array, .array), (.flag, .bool):
                true
            case (.whole, .number(let number)): Int(number).map { $0 >= 0 } ?? false
            case (.one, .number(let number)): number == "1"
            case (.choice(let words), .string(let word)): words.contains(word)
            default: false
            }
        }

        var description: String {
            switch self {
            case .text: "a string"
            case .textOrObject: "a string or an object"
            case .number: "a number"
            case .array: "an array"
            case .flag: "true or false"
            case .whole: "a whole number that is not negative"
            case .one: "1"
            case .object: "an object"
            case .choice(let words): "one of " + words.joined(separator: ", ")
            }
        }
    }

    private static let kinds: [String: Kind] = [
        "alert": .textOrObject, "badge": .whole, "sound": .textOrObject, "thread-id": .text, "category": .text,
        "content-available": .one, "mutable-content": .one, "target-content-id": .text,
        "interruption-level": .choice(["passive", "active", "time-sensitive", "critical"]), "relevance-score": .number,
        "filter-criteria": .text, "event": .choice(["start", "update", "end"]), "content-state": .object,
        "timestamp": .whole, "stale-date": .whole, "dismissal-date": .whole, "attributes-type": .text,
        "attributes": .object, "input-push-channel": .text, "input-push-token": .one, "url-args": .array,
        "content-changed": .flag,
    ]
}

extension NotificationFinding.Code {
    /// What a gateway that is strict says instead.
    var strictReason: RejectionReason {
        switch self {
        case .missingPushType: .invalidPushType
        case .backgroundPriority: .badPriority
        default: .payloadEmpty
        }
    }
}
