package import JSONScanning
internal import TextBasics
package import WaypostSchema

/// A check of a payload against the rules of APNs, and against the keys that Apple documents ("Generating a remote
/// notification").
///
/// APNs accepts any JSON object and reports no problems with its contents. The gateway reports them to the sender.
package enum PayloadCheck {
    /// An unusual thing in a payload, and its offset.
    package struct LocatedFinding: Sendable, Equatable {
        /// The finding.
        package let finding: NotificationFinding

        /// The offset of the byte that the finding is about.
        package let offset: Int
    }

    /// The reason for which APNs does not accept a payload.
    package enum Problem: Error, Equatable {
        /// It is not JSON.
        case notJSON(JSONError)

        /// It is JSON, but not an object, which would start at the offset.
        case notAnObject(offset: Int)

        /// The problem, for people.
        package var message: String {
            switch self {
            case .notJSON(let error): "the payload is not JSON: \(error), at byte \(error.offset)"
            case .notAnObject: "the payload must be a JSON object"
            }
        }
    }

    /// Returns the maximum size of a payload in bytes, which depends on the push type; 64 KiB for Messages events.
    package static func maximumSize(for pushType: PushType, topic: Topic) -> Int {
        if topic == .messages { return 64 << 10 }
        return pushType == "voip" ? 5_120 : 4_096
    }

    /// Returns the unusual things in a payload, in order.
    ///
    /// - Parameters:
    ///   - payload: the payload, whatever its size.
    ///   - pushType: the push type, which determines what is usual.
    /// - Returns: the findings.
    /// - Throws: `Problem` if the payload is not a JSON object.
    package static func findings(in payload: [UInt8], for pushType: PushType) throws(Problem) -> [LocatedFinding] {
        let document: JSONDocument
        do {
            document = try JSONDocument(payload)
        } catch {
            throw .notJSON(error)
        }
        return try findings(in: document, for: pushType)
    }

    /// Returns the unusual things in a payload that was parsed.
    ///
    /// - Throws: `Problem` if the payload is not a JSON object.
    package static func findings(
        in document: JSONDocument,
        for pushType: PushType
    ) throws(Problem) -> [LocatedFinding] {
        guard case .object(let members) = document.root.value else {
            throw .notAnObject(offset: document.root.offset)
        }
        var findings = repeatedKeyFindings(of: members, in: "the payload")
        let apsNode = members.last { $0.name == "aps" }?.value
        guard let apsNode, case .object(let aps) = apsNode.value else {
            // The payload of a push to an MDM client has no `aps`.
            if pushType == "mdm" { return findings }
            let message = "the payload has no 'aps' object, the part that devices read"
            return findings + [finding(.missingAps, message, at: document.root.offset)]
        }
        findings += repeatedKeyFindings(of: aps, in: "'aps'")
        findings += aps.compactMap(finding(of:))
        if pushType == .background { findings += backgroundFindings(aps, at: apsNode.offset) }
        return findings
    }

    private static func repeatedKeyFindings(of members: [JSONMember], in place: String) -> [LocatedFinding] {
        var names: Set<String> = []
        return members.filter { !names.insert($0.name).inserted }.map {
            finding(.repeatedKey, "'\($0.name.safe(for: .excerpt))' appears more than once in \(place)", at: $0.offset)
        }
    }

    private static func finding(of member: JSONMember) -> LocatedFinding? {
        guard let kind = valueKinds[member.name] else {
            let message = "'\(member.name.safe(for: .excerpt))' is ignored in 'aps'; put an app's own keys beside 'aps'"
            return finding(.unknownApsKey, message, at: member.offset)
        }
        guard kind.includes(member.value.value) else {
            return finding(.wrongApsValue, "'\(member.name)' must be \(kind.description)", at: member.value.offset)
        }
        guard member.name == "target-content-id", case .string(let identifier) = member.value.value else { return nil }
        return targetContentIdentifierFinding(identifier, at: member.value.offset)
    }

    /// Scenes compare the identifier with their own, so it should be a word without spaces; it is usually a URL.
    private static func targetContentIdentifierFinding(_ identifier: String, at offset: Int) -> LocatedFinding? {
        // Looking up the properties of a character takes long, and an identifier is usually ASCII.
        let isWord =
            identifier.utf8.allSatisfy { 0x21..<0x7F ~= $0 }
            || !identifier.unicodeScalars.contains { $0.properties.isWhitespace || $0.value < 0x20 }
        guard identifier.isEmpty || !isWord else { return nil }
        return finding(
            .targetContentIdentifier,
            "'target-content-id' is '\(identifier.safe(for: .excerpt))', which is neither a URL nor an identifier without spaces",
            at: offset
        )
    }

    private static func backgroundFindings(_ aps: [JSONMember], at offset: Int) -> [LocatedFinding] {
        let visibleKeys = aps.map(\.name).filter { ["alert", "badge", "sound"].contains($0) }
        let hasContentAvailable = aps.contains { $0.name == "content-available" }
        guard !visibleKeys.isEmpty || !hasContentAvailable else { return [] }
        let message = "a background push must have 'content-available': 1, and no 'alert', 'badge' or 'sound'"
        return [finding(.backgroundContent, message, at: offset)]
    }

    private static func finding(_ code: NotificationFinding.Code, _ message: String, at offset: Int) -> LocatedFinding {
        LocatedFinding(finding: NotificationFinding(code: code, message: message), offset: offset)
    }
}

// MARK: The values of the keys of `aps`

extension PayloadCheck {
    /// The kinds of values that keys of `aps` have.
    private enum ValueKind {
        case string
        case stringOrObject
        case number
        case wholeNumber
        case array
        case bool
        case numberOne
        case object
        case oneOf([String])

        func includes(_ value: JSONNode.Value) -> Bool {
            switch (self, value) {
            case (.string, .string), (.stringOrObject, .string), (.stringOrObject, .object), (.object, .object),
                (.number, .number), (.array, .array), (.bool, .bool):
                true
            case (.wholeNumber, .number(let number)): Int(number).map { $0 >= 0 } ?? false
            case (.numberOne, .number(let number)): number == "1"
            case (.oneOf(let words), .string(let word)): words.contains(word)
            default: false
            }
        }

        var description: String {
            switch self {
            case .string: "a string"
            case .stringOrObject: "a string or an object"
            case .number: "a number"
            case .array: "an array"
            case .bool: "true or false"
            case .wholeNumber: "a whole number, 0 or greater"
            case .numberOne: "1"
            case .object: "an object"
            case .oneOf(let words): "one of " + words.joined(separator: ", ")
            }
        }
    }

    private static let valueKinds: [String: ValueKind] = [
        "alert": .stringOrObject, "badge": .wholeNumber, "sound": .stringOrObject, "thread-id": .string,
        "category": .string, "content-available": .numberOne, "mutable-content": .numberOne,
        "target-content-id": .string,
        "interruption-level": .oneOf(["passive", "active", "time-sensitive", "critical"]), "relevance-score": .number,
        "filter-criteria": .string, "event": .oneOf(["start", "update", "end"]), "content-state": .object,
        "timestamp": .wholeNumber, "stale-date": .wholeNumber, "dismissal-date": .wholeNumber,
        "attributes-type": .string, "attributes": .object, "input-push-channel": .string,
        "input-push-token": .numberOne,
        "url-args": .array, "content-changed": .bool,
    ]
}
