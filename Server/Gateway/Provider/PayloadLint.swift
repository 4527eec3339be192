internal import JSONScanning
internal import WaypostSchema

/// The check of a payload for unusual contents, by the keys that Apple documents ("Generating a remote notification").
///
/// APNs accepts any JSON object and reports no problems with its contents. The gateway reports them to the sender.
enum PayloadLint {
    /// Returns the unusual things in a payload, in order.
    ///
    /// - Throws: `ProviderRefusal` if the payload is not a JSON object.
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
            // The payload of a push to an MDM client has no `aps`.
            let isExpected = pushType == "mdm"
            return isExpected
                ? findings
                : findings + [finding(.missingAps, "the payload has no 'aps' object, the part that devices read")]
        }
        findings += repetitions(of: aps, in: "'aps'")
        findings += aps.compactMap(finding(of:))
        if pushType == .background { findings += background(aps) }
        return findings
    }

    private static func repetitions(of members: [JSONMember], in place: String) -> [NotificationFinding] {
        var seen: Set<String> = []
        return members.filter { !seen.insert($0.name).inserted }.map {
            finding(.repeatedKey, "'\($0.name)' appears more than once in \(place)")
        }
    }

    private static func finding(of member: JSONMember) -> NotificationFinding? {
        guard let kind = kinds[member.name] else {
            return finding(.unknownApsKey, "'\(member.name)' is ignored in 'aps'; put an app's own keys beside 'aps'")
        }
        guard kind.includes(member.value.value) else {
            return finding(.wrongApsValue, "'\(member.name)' must be \(kind.description)")
        }
        guard member.name == "target-content-id", case .string(let text) = member.value.value else { return nil }
        return targetContentIdentifier(text)
    }

    /// Scenes compare the identifier with their own, so it should be a word without spaces; it is usually a URL.
    private static func targetContentIdentifier(_ text: String) -> NotificationFinding? {
        // Looking up the properties of a character takes long, and an identifier is usually ASCII.
        let isWord =
            text.utf8.allSatisfy { 0x21..<0x7F ~= $0 }
            || !text.unicodeScalars.contains { $0.properties.isWhitespace || $0.value < 0x20 }
        guard text.isEmpty || !isWord else { return nil }
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
                "a background push must have 'content-available': 1, and no 'alert', 'badge' or 'sound'"
            )
        ]
    }

    private static func finding(_ code: NotificationFinding.Code, _ message: String) -> NotificationFinding {
        NotificationFinding(code: code, message: message)
    }
}

// MARK: The values of the keys of `aps`

extension PayloadLint {
    /// The type of a key's value.
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
            case .whole: "a whole number, 0 or greater"
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
    /// The reason for the refusal by a strict gateway.
    var strictReason: RejectionReason {
        switch self {
        case .missingPushType: .invalidPushType
        case .backgroundPriority: .badPriority
        default: .payloadEmpty
        }
    }
}
