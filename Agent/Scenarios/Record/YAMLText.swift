internal import JSONScanning
internal import SchemaFiles
internal import TextBasics
package import WaypostSchema

/// Values as YAML, as a person writes it: short objects on one line, long ones on several.
package enum YAMLText {
    /// The maximum length of a line with an object.
    private static let maximumWidth = 118

    /// Returns a document with members in the given order.
    package static func document(_ members: [(String, JSONValue)]) -> String {
        members.map { member($0.0, $0.1, indent: 0) }.joined(separator: "\n") + "\n"
    }

    /// Returns an element of a block list: an object whose members are on lines of their own.
    static func element(_ members: [(String, JSONValue)], indent: Int) -> String {
        let lines = members.map { member($0.0, $0.1, indent: indent + 2) }.joined(separator: "\n")
        // Bytes are dropped, because a mark at the start of a key makes another character of the last space.
        return String(repeating: " ", count: indent) + "- " + String(Substring(lines.utf8.dropFirst(indent + 2)))
    }

    private static func member(_ name: String, _ value: JSONValue, indent: Int) -> String {
        let space = String(repeating: " ", count: indent)
        let line = "\(space)\(scalar(name)): \(flow(value))"
        guard line.count > maximumWidth else { return line }
        switch value {
        case .object(let members) where !members.isEmpty:
            let lines = members.ordered.map { member($0.0, $0.1, indent: indent + 2) }
            return "\(space)\(scalar(name)):\n" + lines.joined(separator: "\n")
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { element -> String in
                if case .object(let members) = element, flow(element).count > maximumWidth - indent {
                    return Self.element(members.ordered, indent: indent + 2)
                }
                return "\(space)  - \(flow(element))"
            }
            return "\(space)\(scalar(name)):\n" + lines.joined(separator: "\n")
        default: return line
        }
    }

    /// Returns a value on one line.
    static func flow(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): scalar(text)
        case .array(let elements): "[" + elements.map(flow).joined(separator: ", ") + "]"
        case .object(let members):
            members.isEmpty
                ? "{}" : "{ " + members.ordered.map { "\(scalar($0.0)): \(flow($0.1))" }.joined(separator: ", ") + " }"
        default: value.plainText
        }
    }

    /// Returns a text as a plain scalar if it stays a text and can be in a list, and otherwise in double quotes.
    static func scalar(_ text: String) -> String {
        isPlain(text) ? text : quoted(text)
    }

    /// Returns a text in double quotes.
    static func quoted(_ text: String) -> String {
        text.printableJSON
    }

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { return false }
        let indicators: Set<Unicode.Scalar> = [
            "-", "?", ":", ",", "[", "]", "{", "}", "#", "&", "*", "!", "|", ">", "'", "\"", "%", "@", "`", " ", "=",
            "~",
        ]
        // Scalars are compared, because a mark makes another character of what is before it.
        guard !indicators.contains(first), last != " ", last != ":", text != "<<" else { return false }
        let pairs = zip(text.unicodeScalars, text.unicodeScalars.dropFirst())
        let hasIndicator = pairs.contains { one, next in
            one == ":" && (next == " " || next == "?") || one == " " && next == "#" || one == "$" && next == "{"
        }
        let separators: Set<Unicode.Scalar> = [",", "[", "]", "{", "}"]
        guard !hasIndicator, !text.unicodeScalars.contains(where: separators.contains) else { return false }
        // YAML does not have some invisible characters, and reads others as line breaks.
        guard !text.unicodeScalars.contains(where: \.isInvisible) else { return false }
        // A plain number or truth value would not stay a text.
        let words = ["true", "false", "null", "yes", "no", "on", "off"]
        return Double(text) == nil && !words.contains(text.lowercased()) && first != "." && first != "+"
    }
}

extension [String: JSONValue] {
    /// The members in the order in which a person writes them: names first, the rest by their keys.
    fileprivate var ordered: [(String, JSONValue)] {
        let first = [
            "device", "to", "at", "name", "id", "bundleIdentifier", "persistentIdentifier", "topic", "title", "type",
        ]
        return sorted { one, other in
            let ranks = (first.firstIndex(of: one.key) ?? first.count, first.firstIndex(of: other.key) ?? first.count)
            return ranks.0 == ranks.1 ? one.key < other.key : ranks.0 < ranks.1
        }
        .map { ($0.key, $0.value) }
    }
}
