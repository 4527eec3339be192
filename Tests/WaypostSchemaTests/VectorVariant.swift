import WaypostSchema
import WireTypes

/// A JSON text derived from a vector, to check whether it is still a value of the vector's type.
struct VectorVariant: CustomStringConvertible {
    let vector: Vector

    /// A description of the change.
    let change: String
    let text: String

    var description: String { "\(vector.testDescription) \(change): \(text)" }

    init(_ vector: Vector, _ change: String, text: String) {
        self.vector = vector
        self.change = change
        self.text = text
    }

    /// Creates the vector with `member` under `name`, or without `name` if `member` is `nil`.
    init(_ vector: Vector, setting name: String, to member: JSONValue?) throws {
        let text = try vector.tree().setting(name, to: member).json()
        self.init(vector, "with \(name) \(member == nil ? "removed" : "changed")", text: text)
    }

    /// Whether the current code decodes it.
    var isRead: Bool {
        (try? vector.type.decode(text)) != nil
    }
}
