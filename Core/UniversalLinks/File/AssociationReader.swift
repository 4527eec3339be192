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
                message: "the file starts with a byte order mark",
                instead: "leave it out"
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
            instead: instead
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
        consequence: String = ""
    ) {
        report(
            .error,
            .wrongType,
            node: node,
            path: path,
            message: "this is \(node.kind), but must be \(kind)\(consequence)"
        )
    }
}

// MARK: - Values of a kind

extension AssociationReader {
    /// A member of an object and its path.
    struct Member {
        var name: String
        var node: JSONNode
        var path: JSONKeyPath
    }

    /// Returns the members of an object, the last one for each name, or `nil` with a finding if the value is not an
    /// object.
    mutating func members(of node: JSONNode, at path: JSONKeyPath) -> [Member]? {
        guard case .object(let members) = node.value else {
            reportWrongType(node, path, mustBe: "an object")
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
                    message: message,
                    instead: "keep one of them"
                )
            }
        }
        return members.enumerated().compactMap { index, member in
            guard lastIndexByName[member.name] == index else { return nil }
            return Member(name: member.name, node: member.value, path: path[member.name])
        }
    }

    /// Returns the elements of an array, or `nil` with a finding if the value is not an array.
    mutating func elements(of node: JSONNode, at path: JSONKeyPath) -> [(node: JSONNode, path: JSONKeyPath)]? {
        guard case .array(let elements) = node.value else {
            reportWrongType(node, path, mustBe: "an array")
            return nil
        }
        return elements.enumerated().map { (node: $1, path: path[$0]) }
    }

    /// Returns a string, or `nil` with a finding if the value is not a string.
    mutating func string(_ node: JSONNode, at path: JSONKeyPath, consequence: String = "") -> String? {
        guard case .string(let text) = node.value else {
            reportWrongType(node, path, mustBe: "a string", consequence: consequence)
            return nil
        }
        return text
    }

    /// Returns the strings of an array, with a finding for each element that is not a string.
    mutating func strings(of node: JSONNode, at path: JSONKeyPath) -> [AssociationFile.Placed<String>] {
        var strings: [AssociationFile.Placed<String>] = []
        for element in elements(of: node, at: path) ?? [] {
            guard let text = string(element.node, at: element.path) else { continue }
            strings.append(placed(text, element.node, path: element.path))
        }
        return strings
    }

    /// Adds a finding about an unknown key.
    mutating func reportUnknown(_ member: Member, knownKeys: [String]) {
        let suggestion = knownKeys.first { $0.isSimilar(to: member.name) }
        report(
            suggestion == nil ? .note : .warning,
            .unknownKey,
            node: member.node,
            path: member.path,
            message: "\(member.name.safe(for: .excerpt).printableJSON) is not a known key here; it is ignored",
            instead: suggestion?.printableJSON
        )
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
}

extension AssociationFinding {
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
            message: "the file is signed, which only systems before iOS 10 required; a signed file is not read",
            instead: "the JSON alone, served over HTTPS"
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
