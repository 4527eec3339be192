internal import JSONScanning
internal import PushRules
package import WaypostSchema

/// A check of payloads for Live Activities against the types that an app describes.
///
/// Content decodes as on a device (gate `decoding`), but all its problems are reported, not only the first one.
package struct LiveActivityCheck {
    /// The maximum number of findings of each kind.
    private static let maximumCount = 1_000

    private static let pushType: PushType = "liveactivity"

    private let types: [String: LiveActivityType]
    private let now: Timestamp

    /// Creates the check.
    ///
    /// - Parameters:
    ///   - types: the types of the app, by name.
    ///   - now: the time near which dates probably are.
    package init(against types: [String: LiveActivityType], at now: Timestamp) {
        self.types = types
        self.now = now
    }

    /// Returns a report on the payload in a JSON file: that of `PayloadCheck`, and what does not suit the types.
    package func report(on bytes: [UInt8]) -> PayloadReport {
        var report = PayloadCheck.report(on: bytes, for: Self.pushType)
        guard let document = try? JSONDocument(bytes), let aps = document.root.member("aps") else { return report }
        let content = Content(in: aps)
        let (type, findings) = check(content)
        if let type {
            // The type tells whether a value is a date, so nothing must be guessed.
            report.findings.removeAll { finding in
                finding.code == NotificationFinding.Code.dateInState.rawValue
                    && content.isInDescribedPart(finding, of: type, document)
            }
        }
        report.findings += findings.map { finding in
            let place = document.location(of: finding.offset)
            return PayloadFinding(
                line: place.line,
                column: place.column,
                severity: finding.severity,
                code: finding.code,
                message: finding.message
            )
        }
        report.findings.sort { ($0.line, $0.column) < ($1.line, $1.column) }
        return report
    }

    /// Checks the content; returns the type that it was compared with, if any, and the findings.
    private func check(_ content: Content) -> (type: LiveActivityType?, findings: [Finding]) {
        if let name = content.typeName {
            if let type = types[name.text] { return (type, findings(in: content, decoding(content, as: type))) }
            // An update does not need the name of the type, and a device ignores it.
            if content.isStart {
                let explanation = ContentDecoding.explanation(ofMissingType: name.text, in: types)
                return (nil, [Finding(.error, .decoding, message: explanation + Self.answer, at: name.offset)])
            }
        }
        guard let offset = content.offset, let best = bestDecoding(of: content) else { return (nil, []) }
        var bestFindings = findings(in: content, best.decoding)
        if types.count > 1 {
            let names = types.keys.sorted().joined(separator: ", ")
            let message = "the payload names no type, and suits \(best.name) best; the app has \(names)"
            bestFindings.append(Finding(.note, .decoding, message: message, at: offset))
        }
        return (types[best.name], bestFindings)
    }

    /// Returns the decoding with the fewest problems, and the name of its type.
    private func bestDecoding(of content: Content) -> (name: String, decoding: ContentDecoding)? {
        let kinds: [ContentDecoding.Remark.Kind] = [.failure, .unknownKey, .similarKey, .date]
        func counts(_ decoding: ContentDecoding) -> [Int] {
            kinds.map { decoding.count(of: $0) }
        }
        return types.sorted { $0.key < $1.key }
            .map { (name: $0.key, decoding: decoding(content, as: $0.value)) }
            .min { counts($0.decoding).lexicographicallyPrecedes(counts($1.decoding)) }
    }

    private func decoding(_ content: Content, as type: LiveActivityType) -> ContentDecoding {
        var decoding = ContentDecoding(at: now, maximumCount: Self.maximumCount)
        decoding.decode(
            attributes: content.isStart ? content.attributes.map { JSONValue($0) } : nil,
            contentState: content.contentState.map { JSONValue($0) },
            as: type
        )
        return decoding
    }

    private func findings(in content: Content, _ decoding: ContentDecoding) -> [Finding] {
        decoding.remarks.compactMap { remark -> Finding? in
            guard let node = content.part(remark.path.key) else { return nil }
            let offset = remark.path.offset(in: node, ofName: remark.kind == .unknownKey)
            return switch remark.kind {
            case .failure: Finding(.error, .decoding, message: remark.explanation + Self.answer, at: offset)
            case .date: Finding(.error, .dateInState, message: remark.explanation, at: offset)
            case .unknownKey: Finding(.warning, .unknownKey, message: remark.explanation, at: offset)
            // The similar key has a finding of its own.
            case .similarKey: nil
            }
        }
    }

    /// The end of a message about a push that a device drops.
    private static let answer = " (APNs answers 200, and the device drops the push)"
}

extension LiveActivityCheck {
    /// A finding, and its offset.
    private struct Finding {
        let severity: FindingSeverity
        let code: String
        let message: String
        let offset: Int

        init(_ severity: FindingSeverity, _ code: Code, message: String, at offset: Int) {
            self.severity = severity
            self.code = code.rawValue
            self.message = message
            self.offset = offset
        }
    }

    /// The codes of findings.
    private enum Code: String {
        /// The content does not decode; the name of the device's gate.
        case decoding

        /// A date counts from another time than the app's `Date`.
        case dateInState

        /// A key is ignored.
        case unknownKey
    }

    /// The parts of `aps` that the types describe.
    private struct Content {
        /// The name of the type, and its offset; `nil` if it is missing or no text.
        let typeName: (text: String, offset: Int)?

        /// The attributes; `nil` unless they are an object.
        let attributes: JSONNode?

        /// The content state; `nil` unless it is an object.
        let contentState: JSONNode?

        /// Whether the push starts a Live Activity, which alone has a type and attributes.
        let isStart: Bool

        init(in aps: JSONNode) {
            attributes = aps.member("attributes").flatMap { $0.isObject ? $0 : nil }
            contentState = aps.member("content-state").flatMap { $0.isObject ? $0 : nil }
            if let node = aps.member("attributes-type"), case .string(let text) = node.value {
                typeName = (text, node.offset)
            } else {
                typeName = nil
            }
            if case .string("start")? = aps.member("event")?.value { isStart = true } else { isStart = false }
        }

        /// The offset of the content; `nil` if there is none.
        var offset: Int? {
            (contentState ?? (isStart ? attributes : nil))?.offset
        }

        /// Returns the value of a key of `aps`.
        func part(_ key: String) -> JSONNode? {
            key == "attributes" ? attributes : contentState
        }

        /// Returns whether a finding about a part is about one whose fields a type describes.
        func isInDescribedPart(_ finding: PayloadFinding, of type: LiveActivityType, _ document: JSONDocument) -> Bool {
            let parts = [
                (node: attributes, isDescribed: isStart && type.attributes != nil),
                (node: contentState, isDescribed: type.contentState != nil),
            ]
            let places = parts.compactMap { part in
                part.node.map { (place: document.location(of: $0.offset), isDescribed: part.isDescribed) }
            }
            // The parts do not contain each other, so a finding is in the last one that starts before it.
            let place = (finding.line, finding.column)
            let before = places.filter { $0.place < place }
            return before.max { $0.place < $1.place }?.isDescribed ?? false
        }
    }
}

extension JSONNode {
    /// Whether the value is an object.
    fileprivate var isObject: Bool {
        if case .object = value { true } else { false }
    }

    /// Returns the first member with a name, which counts as in `JSONValue`; `nil` if there is none.
    fileprivate func member(_ name: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.name == name }?.value
    }
}
