internal import WaypostSchema
internal import Yams

/// Files that people write, in YAML or JSON: every key in them must be one that is read.
package enum StrictYAML {
    /// Why a text cannot be used.
    package struct Fault: Error, Sendable, Equatable {
        /// What is wrong, and where.
        package let reason: String
    }

    /// Returns the value that `text` describes.
    ///
    /// A key that is not read is a fault, as it is a misspelling.
    package static func decode<Value: Codable>(_ type: Value.Type, from text: String) throws(Fault) -> Value {
        do {
            let value = try YAMLDecoder().decode(type, from: text)
            // What is read is written again, so a key that does not come back was not read.
            let written = try YAMLDecoder().decode(JSONValue.self, from: try YAMLEncoder().encode(value))
            let given = try YAMLDecoder().decode(JSONValue.self, from: text)
            if let unread = given.firstKey(missingIn: written, at: "") {
                throw Fault(reason: "'\(unread)' is not a key that is known here")
            }
            return value
        } catch let fault as Fault {
            throw fault
        } catch let error as DecodingError {
            throw Fault(reason: error.sentence)
        } catch let error as YamlError {
            throw Fault(reason: "not YAML: \(error)")
        } catch {
            throw Fault(reason: "\(error)")
        }
    }
}

extension JSONValue {
    /// The path of the first key that is here and not in `other`.
    fileprivate func firstKey(missingIn other: JSONValue, at path: String) -> String? {
        switch (self, other) {
        case (.object(let mine), .object(let others)):
            for (key, value) in mine.sorted(by: { $0.key < $1.key }) where value != .null {
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
