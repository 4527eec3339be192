internal import Foundation
internal import JSONScanning
internal import WaypostSchema
internal import Yams

/// A decoder of files that users write, in YAML or JSON: every key must be known and have a value.
package enum StrictYAML {
    /// The reason why a text cannot be used.
    package struct ParseError: Error, Sendable, Equatable {
        /// The problem and its place.
        package let reason: String
    }

    /// Returns the value that `text` describes.
    ///
    /// An unknown key is an error, because it is a misspelling. A key without a value is also an error, because
    /// something was forgotten.
    package static func decode<Value: Codable>(_ type: Value.Type, from text: String) throws(ParseError) -> Value {
        var text = text
        // A byte order mark gives the encoding of the file; it is not part of the text.
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        do {
            let document = try Document(text)
            let given = try document.decode(JSONValue.self)
            if given == .null { throw ParseError(reason: "the document is empty") }
            if let place = given.firstKeyWithoutValue(at: "") { throw ParseError(reason: "'\(place)' has no value") }
            let value = try document.decode(type)
            // The value is encoded again: a key that is missing from the result was not decoded.
            let written = try DocumentDecoder.decode(JSONValue.self, from: JSONEncoder().encode(value))
            if let unread = given.firstKey(missingIn: written, at: "") {
                throw ParseError(reason: "'\(unread)' is not a known key here")
            }
            return value
        } catch let error as ParseError {
            throw error
        } catch let error as DecodingError {
            throw ParseError(reason: error.sentence)
        } catch let error as YamlError {
            throw ParseError(reason: "not YAML: \(error)")
        } catch {
            throw ParseError(reason: "\(error)")
        }
    }

    /// A parsed text: JSON if it is JSON, because YAML's escapes have no surrogate pairs; otherwise YAML.
    private enum Document {
        case json(JSONDocument)
        case yaml(Node)

        init(_ text: String) throws {
            let json = try? JSONDocument(Array(text.utf8))
            do {
                // The decoders hide the place of a syntax error and of a repeated key; the composer reports both.
                let node = try Yams.compose(yaml: text, Resolver.basic.appending(.merge)) ?? Node("")
                try AliasLimits.check(node)
                self = json.map(Self.json) ?? .yaml(node)
            } catch {
                // JSON need not be valid YAML, but no key may be repeated.
                guard let json, !Self.isAboutRepeatedKeys(error) else { throw error }
                self = .json(json)
            }
        }

        private static func isAboutRepeatedKeys(_ error: any Error) -> Bool {
            guard case .duplicatedKeysInMapping? = error as? YamlError else { return false }
            return true
        }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            switch self {
            case .json(let document): try DocumentDecoder.decode(type, from: document.root)
            case .yaml(let node): try YAMLDecoder().decode(type, from: node)
            }
        }
    }
}

/// The limits of a YAML document whose aliases are replaced by what they stand for.
///
/// A few lines of aliases to aliases can stand for more values than any memory holds.
private enum AliasLimits {
    /// The maximum number of values.
    private static let values = 100_000

    /// The maximum depth, as of JSON.
    private static let depth = JSONCursor.maximumDepth

    /// Checks a document.
    ///
    /// - Throws: `StrictYAML.ParseError` if it is too large or too deep.
    static func check(_ node: Node) throws(StrictYAML.ParseError) {
        var rest = values
        try count(node, depth: 0, &rest)
    }

    private static func count(_ node: Node, depth: Int, _ rest: inout Int) throws(StrictYAML.ParseError) {
        rest -= 1
        guard rest >= 0 else {
            throw StrictYAML.ParseError(reason: "the document has more than \(values) values, aliases replaced")
        }
        guard depth <= Self.depth else {
            throw StrictYAML.ParseError(reason: "lists and objects are nested deeper than \(Self.depth)")
        }
        switch node {
        case .scalar, .alias: break
        case .sequence(let elements): for element in elements { try count(element, depth: depth + 1, &rest) }
        case .mapping(let members):
            for (key, value) in members {
                try count(key, depth: depth + 1, &rest)
                try count(value, depth: depth + 1, &rest)
            }
        }
    }
}

extension JSONValue {
    /// Returns the path of the first key that has no value.
    fileprivate func firstKeyWithoutValue(at path: String) -> String? {
        switch self {
        case .null:
            return path
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }
            return sorted.lazy
                .compactMap { $0.value.firstKeyWithoutValue(at: path.isEmpty ? $0.key : "\(path).\($0.key)") }
                .first
        case .array(let elements):
            return elements.enumerated().lazy
                .compactMap { $0.element.firstKeyWithoutValue(at: "\(path)[\($0.offset)]") }
                .first
        default:
            return nil
        }
    }

    /// Returns the path of the first key that is missing in `other`.
    fileprivate func firstKey(missingIn other: JSONValue, at path: String) -> String? {
        switch (self, other) {
        case (.object(let mine), .object(let others)):
            for (key, value) in mine.sorted(by: { $0.key < $1.key }) {
                let place = path.isEmpty ? key : "\(path).\(key)"
                guard let counterpart = others[key] else { return place }
                if let missing = value.firstKey(missingIn: counterpart, at: place) { return missing }
            }
        case (.array(let mine), .array(let others)):
            for (index, pair) in zip(mine, others).enumerated() {
                if let missing = pair.0.firstKey(missingIn: pair.1, at: "\(path)[\(index)]") { return missing }
            }
        default: break
        }
        return nil
    }
}
