internal import Foundation
internal import JSONScanning
internal import WaypostSchema
internal import Yams

/// Files that people write, in YAML or JSON: every key in them must be one that is read, and have a value.
package enum StrictYAML {
    /// Why a text cannot be used.
    package struct ParseError: Error, Sendable, Equatable {
        /// What is wrong, and where.
        package let reason: String
    }

    /// Returns the value that `text` describes.
    ///
    /// A key that is not read is an error, as it is a misspelling, and so is a key without a value, as something was
    /// forgotten.
    package static func decode<Value: Codable>(_ type: Value.Type, from text: String) throws(ParseError) -> Value {
        var text = text
        // A byte order mark says how the file is encoded; it is no part of the text.
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        do {
            let language = try Language(of: text)
            let given = try language.decode(JSONValue.self, from: text)
            if given == .null { throw ParseError(reason: "the document is empty") }
            if let place = given.firstKeyWithoutValue(at: "") { throw ParseError(reason: "'\(place)' has no value") }
            let value = try language.decode(type, from: text)
            // What is read is written again, so a key that does not come back was not read.
            let written = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
            if let unread = given.firstKey(missingIn: written, at: "") {
                throw ParseError(reason: "'\(unread)' is not a key that is known here")
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

    /// JSON where a text is JSON, as YAML's own escapes have no surrogate pairs; YAML otherwise.
    private enum Language {
        case json
        case yaml

        init(of text: String) throws {
            self = JSONError.first(in: Array(text.utf8)) == nil ? .json : .yaml
            do {
                // The decoders hide where a text stops being YAML, and which key stands there twice; the composer says
                // it.
                _ = try Yams.compose(yaml: text)
            } catch {
                // What is JSON need not be YAML, but no key may stand there twice.
                if self == .yaml || Self.isAboutRepeatedKeys(error) { throw error }
            }
        }

        private static func isAboutRepeatedKeys(_ error: any Error) -> Bool {
            guard case .duplicatedKeysInMapping? = error as? YamlError else { return false }
            return true
        }

        func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
            switch self {
            case .json: try JSONDecoder().decode(type, from: Data(text.utf8))
            case .yaml: try YAMLDecoder().decode(type, from: text)
            }
        }
    }
}

extension JSONValue {
    /// The path of the first key that has no value.
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

    /// The path of the first key that is here and not in `other`.
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
