/// What was found to be other than it should, in words.
struct FaultList {
    private(set) var faults: [String] = []
    private let subject: String

    init(_ subject: String) {
        self.subject = subject
    }

    mutating func expect<Value: Equatable>(_ what: String, _ value: Value, _ expected: Value) {
        if value != expected { faults.append("\(subject), \(what): \(value) instead of \(expected)") }
    }
}
