internal import JSONScanning
internal import TextBasics
internal import WaypostSchema

/// The keys and values of a payload, by the rules of its push type and by the description of `aps`.
extension PayloadInspection {
    // MARK: The push type

    /// Reports keys that the push type requires and the payload lacks.
    mutating func inspectRequiredKeys() {
        for rule in contract.requiredKeys {
            let required = rule.value
            let isInPayload = required.place == .payload
            guard required.events.map({ event.map($0.contains) ?? false }) ?? true,
                isInPayload || apsMember?.value.members != nil,
                !(isInPayload ? payload : aps).contains(where: { required.keys.contains($0.name) })
            else { continue }
            let subject = "push type \(contract.name)"
            let keys = required.keys.map { "'\($0)'" }.joined(separator: ", ")
            let place = isInPayload ? "the payload" : "'aps'"
            let missing = required.keys.count == 1 ? "\(place) lacks \(keys)" : "\(place) has none of \(keys)"
            let verb = required.severity == .error ? "needs" : "should have"
            let condition = required.events == nil ? "" : " with the event '\(event ?? "")'"
            add(
                contract.pushType == .background ? .backgroundContent : .missingKey,
                required.severity,
                "\(missing), which \(subject) \(verb)\(condition)" + (required.advice.map { "; \($0)" } ?? ""),
                at: isInPayload ? offset : apsMember?.value.offset ?? offset
            )
        }
    }

    /// Reports keys that have no effect in a push of this type.
    mutating func inspectIgnoredKeys() {
        for rule in contract.ignoredKeys {
            let ignored = rule.value
            guard ignored.events.map({ event.map($0.contains) ?? false }) ?? true else { continue }
            let members: [JSONMember] =
                switch ignored.selection {
                case .aps(let keys): aps.filter { keys.contains($0.name) }
                case .apsExcept(let keys): aps.filter { !keys.contains($0.name) }
                case .payloadExcept(let keys):
                    payload.filter { $0.name != "aps" && !keys.contains($0.name) && !isMisplaced($0.name) }
                }
            for member in members {
                add(
                    contract.pushType == .background ? .backgroundContent : .ignoredKey,
                    ignored.severity,
                    "'\(member.name.safe(for: .excerpt))' \(ignored.reason)",
                    at: member.offset
                )
            }
        }
    }

    /// Reports values of the wrong type in keys that the push type has at the top level.
    mutating func inspectOwnKeys() {
        guard let keys = PayloadKey.payload[context.pushType] else { return }
        for member in payload { if let key = keys[member.name] { inspect(member, in: "payload", key) } }
    }

    /// Returns whether a key beside `aps` is reported as one that belongs inside.
    private func isMisplaced(_ name: String) -> Bool {
        findings.contains { $0.finding.code == .misplacedKey } && PayloadKey.aps[name] != nil
    }

    /// Whether the row of the push type reports a key of `aps` already.
    private func isReportedByRow(_ name: String) -> Bool {
        contract.ignoredKeys.contains { rule in
            switch rule.value.selection {
            case .aps(let keys): rule.value.events == nil && keys.contains(name)
            case .apsExcept(let keys): !keys.contains(name)
            case .payloadExcept: false
            }
        }
    }

    // MARK: The description of `aps`

    /// Reports what is unusual about the members of an object.
    mutating func inspectMembers(of members: [JSONMember], in object: String, _ keys: [String: PayloadKey]) {
        for member in members where object != "aps" || !isReportedByRow(member.name) {
            guard let key = keys[member.name] else {
                reportUnknownKey(member, in: object, keys)
                continue
            }
            inspect(member, in: object, key)
        }
    }

    private mutating func reportUnknownKey(_ member: JSONMember, in object: String, _ keys: [String: PayloadKey]) {
        let name = member.name.safe(for: .excerpt)
        let usableKeys = keys.filter { $0.value.isUsable(with: context.pushType) }.keys
        if let right = member.name.misspelledKey(among: usableKeys) {
            let severity = object == "aps" ? FindingSeverity.error : .warning
            let message = "'\(name)' is ignored in '\(object)'; did you mean '\(right)'?"
            add(object == "aps" ? .misspelledKey : .unknownKey, severity, message, at: member.offset)
        } else if object == "aps" {
            let message = "'\(name)' is ignored in 'aps'; put an app's own keys beside 'aps'"
            add(.unknownApsKey, .warning, message, at: member.offset)
        } else {
            let message =
                "'\(name)' is ignored in '\(object)', whose keys are \(usableKeys.sorted().joined(separator: ", "))"
            add(.unknownKey, .warning, message, at: member.offset)
        }
    }

    private mutating func inspect(_ member: JSONMember, in object: String, _ key: PayloadKey) {
        if let pushTypes = key.pushTypes, !pushTypes.contains(context.pushType) {
            let names = pushTypes.map(\.rawValue).sorted().joined(separator: " or ")
            let message = "'\(member.name)' belongs to push type \(names); the push type is \(context.pushType)"
            add(.keyOfOtherPushType, .error, message, at: member.offset)
            return
        }
        if let obsolescence = key.obsolescence {
            add(.obsoleteKey, .note, "'\(member.name)' \(obsolescence)", at: member.offset)
        }
        if case .null = member.value.value {
            add(
                .wrongApsValue,
                .note,
                "'\(member.name)' is null, which counts as absent; leave it out",
                at: member.offset
            )
            return
        }
        guard key.shape.includes(member.value.value), !isUnexpectedObject(member, key) else {
            let shape = isUnexpectedObject(member, key) ? ValueShape.string : key.shape
            let message = "'\(member.name)' must be \(shape); \(member.value.form)"
            add(.wrongApsValue, key.severity, message, at: member.value.offset)
            return
        }
        inspectRange(of: member, key.shape)
        if let keys = key.shape.keys, let members = member.value.members {
            inspectMembers(of: members, in: "\(object).\(member.name)", keys)
        }
    }

    /// Returns whether a text is an object, which only some push types have.
    private func isUnexpectedObject(_ member: JSONMember, _ key: PayloadKey) -> Bool {
        guard let pushTypes = key.objectPushTypes, member.value.members != nil else { return false }
        return !pushTypes.contains(context.pushType)
    }

    private mutating func inspectRange(of member: JSONMember, _ shape: ValueShape) {
        let name = member.name
        switch shape {
        case .wholeNumber where (member.value.wholeNumber ?? 0) < 0:
            add(.outOfRange, .warning, "'\(name)' must be \(shape); this one is ignored", at: member.value.offset)
        case .time:
            guard let time = member.value.wholeNumber, time >= HeaderCheck.firstMilliseconds else { return }
            let message = "'\(name)' is in milliseconds; in seconds it is \(time / 1_000)"
            add(.timeInMilliseconds, .error, message, at: member.value.offset)
        case .number(let range):
            // The score of a Live Activity may be any number.
            let isScore = name == "relevance-score" && context.pushType != "liveactivity"
            guard let range = range ?? (isScore ? 0...1 : nil), case .number(let text) = member.value.value,
                let number = Double(text), !range.contains(number)
            else { return }
            let message = "'\(name)' is \(text.safe(for: .excerpt)), but the range is 0 to 1"
            add(.outOfRange, .warning, message, at: member.value.offset)
        default: break
        }
    }
}

extension JSONNode {
    /// The form of the value as it is, as the end of a sentence.
    fileprivate var form: String {
        switch value {
        case .null: "it is null"
        case .bool(let value): "it is \(value)"
        case .number(let number): "it is \(number.safe(for: .excerpt))"
        case .string(let string): "it is the string '\(string.safe(for: .excerpt))'"
        case .array: "it is an array"
        case .object: "it is an object"
        }
    }
}
