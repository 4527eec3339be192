internal import JSONScanning
internal import TextBasics
internal import WaypostSchema

/// Reads a document and collects findings about it.
struct AssociationReader {
    let root: JSONNode
    private let document: JSONDocument
    private(set) var findings: [AssociationFinding] = []

    /// The defaults that were read.
    var placedDefaults: [AssociationFile.Placed<LinkRule>] = []

    /// The positions of the rules and defaults that have parts that were not read.
    var partlyReadRules: Set<AssociationFile.RulePosition> = []

    /// The names of the substitution variables, with their places.
    var variableNames: [String: AssociationFile.Placed<String>] = [:]

    /// Parses the document as JSON.
    ///
    /// - Throws: `AssociationFinding` if it is signed or not JSON.
    init(_ bytes: [UInt8]) throws(AssociationFinding) {
        if let finding = AssociationFinding(ifSigned: bytes) { throw finding }
        // A byte order mark indicates the encoding; it is not part of the text.
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let hasByteOrderMark = bytes.starts(with: byteOrderMark)
        let text = hasByteOrderMark ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
        do throws(JSONError) {
            document = try JSONDocument(text)
            root = document.root
        } catch {
            throw AssociationFinding(error, in: text)
        }
        if hasByteOrderMark {
            report(
                .warning,
                .byteOrderMark,
                node: root,
                path: JSONKeyPath(),
                message: "the file starts with a byte order mark; remove it"
            )
        }
    }

    /// Adds a finding about a value.
    mutating func report(
        _ severity: FindingSeverity,
        _ code: AssociationFinding.Code,
        node: JSONNode,
        path: JSONKeyPath,
        message: String,
        instead: String? = nil
    ) {
        findings.append(finding(severity, code, node: node, path: path, message: message, instead: instead))
    }

    private func finding(
        _ severity: FindingSeverity,
        _ code: AssociationFinding.Code,
        node: JSONNode,
        path: JSONKeyPath,
        message: String,
        instead: String? = nil
    ) -> AssociationFinding {
        let (line, column) = document.location(of: node.offset)
        return AssociationFinding(
            severity: severity,
            code: code,
            place: path.string,
            line: line,
            column: column,
            message: message,
            instead: instead?.replacement
        )
    }

    func placed<Value>(_ value: Value, _ node: JSONNode, path: JSONKeyPath) -> AssociationFile.Placed<Value> {
        let (line, column) = document.location(of: node.offset)
        return AssociationFile.Placed(value: value, path: path.string, line: line, column: column)
    }

    /// Adds a finding that a value has the wrong type.
    mutating func reportWrongType(
        _ node: JSONNode,
        _ path: JSONKeyPath,
        mustBe kind: String,
        consequence: String = "",
        instead: String? = nil
    ) {
        report(
            .error,
            .wrongType,
            node: node,
            path: path,
            message: "this is \(node.kind), but must be \(kind)\(consequence)",
            instead: instead
        )
    }
}

// MARK: - Values of a kind

extension AssociationReader {
    /// A member of an object and its path.
    struct Member {
        var name: String

        /// The offset of the name.
        var nameOffset: Int
        var node: JSONNode
        var path: JSONKeyPath

        /// The name as a value, for findings about the name.
        var nameNode: JSONNode {
            JSONNode(.string(name), offset: nameOffset)
        }
    }

    /// Returns the members of an object, the last one for each name, or `nil` with a finding if the value is not an
    /// object.
    mutating func members(of node: JSONNode, at path: JSONKeyPath, instead: String? = nil) -> [Member]? {
        guard case .object(let members) = node.value else {
            reportWrongType(node, path, mustBe: "an object", instead: instead)
            return nil
        }
        var lastIndexByName: [String: Int] = [:]
        for (index, member) in members.enumerated() {
            if lastIndexByName.updateValue(index, forKey: member.name) != nil {
                let message =
                    "the key \(member.name.printableJSON) occurs more than once; the last one is used"
                report(
                    .warning,
                    .duplicateKey,
                    node: member.value,
                    path: path[member.name],
                    message: message
                )
            }
        }
        return members.enumerated().compactMap { index, member in
            guard lastIndexByName[member.name] == index else { return nil }
            return Member(
                name: member.name,
                nameOffset: member.offset,
                node: member.value,
                path: path[member.name]
            )
        }
    }

    /// Returns the elements of an array, or `nil` with a finding if the value is not an array.
    mutating func elements(
        of node: JSONNode,
        at path: JSONKeyPath,
        instead: String? = nil
    ) -> [(node: JSONNode, path: JSONKeyPath)]? {
        guard case .array(let elements) = node.value else {
            reportWrongType(node, path, mustBe: "an array", instead: instead)
            return nil
        }
        return elements.enumerated().map { (node: $1, path: path[$0]) }
    }

    /// Returns a string, or `nil` with a finding if the value is not a string.
    mutating func string(
        _ node: JSONNode,
        at path: JSONKeyPath,
        consequence: String = "",
        instead: String? = nil
    ) -> String? {
        guard case .string(let text) = node.value else {
            reportWrongType(node, path, mustBe: "a string", consequence: consequence, instead: instead)
            return nil
        }
        return text
    }

    /// Returns the strings of an array, with a finding for each element that is not a string.
    ///
    /// - Parameters:
    ///   - node: the array.
    ///   - path: its path.
    ///   - acceptsNumbers: whether to suggest a string for a number.
    /// - Returns: the strings, with their places.
    mutating func strings(
        of node: JSONNode,
        at path: JSONKeyPath,
        acceptsNumbers: Bool = false
    ) -> [AssociationFile.Placed<String>] {
        var strings: [AssociationFile.Placed<String>] = []
        for element in elements(of: node, at: path, instead: node.listOfString) ?? [] {
            let instead = acceptsNumbers ? element.node.patternOfOtherType : nil
            guard let text = string(element.node, at: element.path, instead: instead) else { continue }
            strings.append(placed(text, element.node, path: element.path))
        }
        return strings
    }

    /// Adds a finding about an unknown key, which suggests the known key that it probably misspells.
    ///
    /// The suggestion is a replacement only if the value has a type of the known key, and the object does not have that
    /// key already.
    ///
    /// - Parameters:
    ///   - member: the member with the unknown key.
    ///   - supportedKeys: the keys that the object may have.
    ///   - members: the members of the object.
    mutating func reportUnknown(_ member: Member, supportedKeys: [String], among members: [Member]) {
        let usableKeys = supportedKeys.filter { Self.isValue(member.node, usableFor: $0) }
        let spelling =
            Self.words[member.name.lowercased()].flatMap { supportedKeys.contains($0) ? $0 : nil } ?? member.name
        let usableKey = spelling.nearest(among: usableKeys)
        let suggestion = usableKey ?? spelling.nearest(among: supportedKeys)
        let isMisplaced = supportedKeys.contains("applinks") && Self.keysOfAppLinks.contains(member.name)
        let rivals = usableKey.map { key in Self.appKeys.contains(key) ? Self.appKeys : [key] } ?? []
        let isReplacement = usableKey != nil && !members.contains { rivals.contains($0.name) }
        let name = member.name.safe(for: .excerpt).printableJSON
        let nearest = isReplacement ? "" : suggestion.map { "; the nearest known key is \($0.printableJSON)" } ?? ""
        let remark = isMisplaced ? #"; it belongs in "applinks""# : nearest
        report(
            suggestion == nil && !isMisplaced ? .note : .warning,
            .unknownKey,
            node: member.nameNode,
            path: member.path,
            message: "\(name) is not a known key here; it is ignored\(remark)",
            instead: isReplacement ? usableKey?.printableJSON : nil
        )
    }

    /// The words that people write for the keys of a component.
    private static let words = ["path": "/", "query": "?", "fragment": "#", "hash": "#"]

    /// The keys of `applinks` that people write beside it.
    private static let keysOfAppLinks = ["details", "defaults", "substitutionVariables"]

    /// The keys for the apps of an entry, only one of which is read.
    private static let appKeys = ["appIDs", "appID"]

    /// Returns whether a value has a type that a known key may have.
    private static func isValue(_ node: JSONNode, usableFor key: String) -> Bool {
        switch (key, node.value) {
        case ("comment", _): true
        case ("/", .string), ("#", .string), ("?", .string), ("?", .object), ("appID", .string): true
        case ("exclude", .bool), ("caseSensitive", .bool), ("percentEncoded", .bool): true
        case ("appIDs", .array), ("components", .array), ("paths", .array), ("apps", .array): true
        case ("details", .array), ("details", .object), ("defaults", .object), ("substitutionVariables", .object): true
        case ("applinks", .object), ("webcredentials", .object), ("appclips", .object): true
        case ("activitycontinuation", .object): true
        default: false
        }
    }
}

extension JSONNode {
    /// The kind of value, with its article.
    var kind: String {
        switch value {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The value as JSON on one line.
    var json: String {
        switch value {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text): text
        case .string(let text): text.printableJSON
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { $0.name.printableJSON + ":" + $0.value.json }.joined(separator: ",") + "}"
        }
    }

    /// A list of the value alone as JSON if the value is a string; otherwise `nil`.
    var listOfString: String? {
        guard case .string = value else { return nil }
        return "[\(json)]"
    }

    /// The only string of an array as JSON; otherwise `nil`.
    var onlyString: String? {
        guard case .array(let elements) = value, elements.count == 1, let element = elements.first else { return nil }
        if case .string = element.value { return element.json }
        return nil
    }

    /// The pattern as JSON that a number, or an array of one string, was probably meant as; otherwise `nil`.
    var patternOfOtherType: String? {
        guard case .number(let text) = value else { return onlyString }
        return text.printableJSON
    }

    /// The boolean as JSON that a string or a number was probably meant as; otherwise `nil`.
    var boolOfOtherType: String? {
        switch value {
        case .string(let text):
            let word = text.withoutBlanksAtEnds.lowercased()
            if ["true", "yes"].contains(word) { return "true" }
            return ["false", "no"].contains(word) ? "false" : nil
        case .number("1"): return "true"
        case .number("0"): return "false"
        default: return nil
        }
    }
}

extension String {
    /// The string without blanks at its start and its end.
    var withoutBlanksAtEnds: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// The string as a replacement in a finding; `nil` if it is too long for a message.
    var replacement: String? {
        utf8.count > AssociationFinding.maximumReplacementLength ? nil : self
    }
}

extension AssociationFinding {
    /// The maximum length of a replacement, in bytes.
    static let maximumReplacementLength = 1_000

    /// Creates a finding if a file is signed (CMS, `application/pkcs7-mime`); otherwise returns `nil`.
    fileprivate init?(ifSigned bytes: [UInt8]) {
        let isBinary = bytes.count > 1 && bytes[0] == 0x30 && bytes[1] >= 0x80
        guard isBinary || bytes.starts(with: "-----BEGIN".utf8) else { return nil }
        self.init(
            severity: .error,
            code: .signed,
            place: "",
            line: 1,
            column: 1,
            message: """
                the file is signed, which only systems before iOS 10 required; a signed file is not read; serve the \
                JSON alone, over HTTPS
                """
        )
    }

    fileprivate init(_ error: JSONError, in text: [UInt8]) {
        let precedingText = text[..<min(error.offset, text.count)]
        let lineStart = precedingText.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        self.init(
            severity: .error,
            code: .notJSON,
            place: "",
            line: precedingText.count { $0 == UInt8(ascii: "\n") } + 1,
            column: error.offset - lineStart + 1,
            message: "this is not JSON: \(error)"
        )
    }
}
