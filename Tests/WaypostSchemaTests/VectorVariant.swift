import WaypostSchema

/// A JSON text made of a vector, of which is asked whether it is still of the vector's type.
struct VectorVariant: CustomStringConvertible {
    let vector: Vector

    /// What is different, for a person.
    let change: String
    let text: String

    var description: String { "\(vector.testDescription) \(change): \(text)" }

    init(_ vector: Vector, _ change: String, text: String) {
        self.vector = vector
        self.change = change
        self.text = text
    }

    /// The vector with `member` under `name`; without `name` where there is no `member`.
    init(_ vector: Vector, setting name: String, to member: JSONValue?) throws {
        let text = try vector.tree().setting(name, to: member).json()
        self.init(vector, "with \(name) \(member == nil ? "removed" : "changed")", text: text)
    }

    /// Whether today's code reads it.
    var isRead: Bool {
        (try? vector.type.decode(text)) != nil
    }
}
