internal import WaypostSchema

/// A scalar without quotes, as what it looks like (YAML 1.2, core schema).
struct PlainScalar {
    /// The text, or `nil` for a scalar with quotes.
    let text: String?

    init(_ text: String?) {
        self.text = text
    }

    var integer: Int? { text.flatMap { Int($0) } }
    var double: Double? { text.flatMap { Double($0) } }

    var bool: Bool? {
        switch text {
        case "true", "True", "TRUE": true
        case "false", "False", "FALSE": false
        default: nil
        }
    }

    var value: JSONValue? {
        bool.map(JSONValue.bool) ?? integer.map(JSONValue.integer)
            ?? double.flatMap { $0.isFinite ? .double($0) : nil }
    }
}
