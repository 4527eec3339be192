/// A list of descriptions of unexpected values.
struct MismatchList {
    private(set) var errors: [String] = []
    private let subject: String

    init(_ subject: String) {
        self.subject = subject
    }

    mutating func expect<Value: Equatable>(_ what: String, _ value: Value, _ expected: Value) {
        if value != expected { errors.append("\(subject), \(what): \(value) instead of \(expected)") }
    }
}
