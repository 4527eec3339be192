import BatchItems
import Testing

/// A text that is not JSON, with a caret where it goes wrong, and why.
struct FaultCase: CustomTestStringConvertible {
    var text: String
    var problem: JSONFault.Problem

    var testDescription: String { text.debugDescription }

    init(_ text: String, _ problem: JSONFault.Problem) {
        self.text = text
        self.problem = problem
    }

    /// A case whose text goes wrong at the byte behind the caret.
    init(_ text: String, wants expected: String) {
        let marked = MarkedText(text)
        self.text = text
        problem =
            marked.offset < marked.bytes.count
            ? .unexpectedByte(marked.bytes[marked.offset], expected: expected)
            : .unexpectedEnd(expected: expected)
    }

    /// Expects that the scanner finds the fault, and says nothing else about the item.
    func expectFault(sourceLocation: SourceLocation = #_sourceLocation) {
        let marked = MarkedText(text)
        let fault = JSONFault(problem: problem, offset: marked.offset)
    }
}
