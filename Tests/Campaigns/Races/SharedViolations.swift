import Synchronization

/// The violations that concurrent clients find.
final class SharedViolations: Sendable {
    private let subject: String
    private let sentences: Mutex<[String]> = Mutex([])

    /// Creates an empty list whose sentences begin with a subject.
    init(in subject: String) {
        self.subject = subject
    }

    /// All violations.
    var all: [String] {
        sentences.withLock { $0 }
    }

    /// Adds a violation.
    func add(_ sentence: String) {
        sentences.withLock { $0.append("\(subject): \(sentence)") }
    }
}
