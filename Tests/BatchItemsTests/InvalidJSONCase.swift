import BatchItems
import JSONScanning
import Testing

/// A text that is not JSON, with a caret where it goes wrong, and why.
struct InvalidJSONCase: CustomTestStringConvertible {
    var text: MarkedText
    var problem: JSONError.Problem
    var testDescription: String

    init(_ text: String, _ problem: JSONError.Problem) {
        self.text = MarkedText(text)
        self.problem = problem
        testDescription = text.debugDescription
    }

    /// A case that goes wrong because `expected` does not stand behind the caret.
    init(_ text: String, wants expected: String) {
        self.init(text, .unexpectedEnd(expected: expected))
        if self.text.offset < self.text.bytes.count {
            problem = .unexpectedByte(self.text.bytes[self.text.offset], expected: expected)
        }
    }

    /// Expects that the error is found where it is, whatever else is wrong with the item.
    func expectError(sourceLocation: SourceLocation = #_sourceLocation) {
        let error = jsonError(text.bytes)
        #expect(error?.problem == problem, sourceLocation: sourceLocation)
        #expect(error?.offset == text.offset, sourceLocation: sourceLocation)
        #expect(scanError(text.bytes)?.offset == text.offset, sourceLocation: sourceLocation)
    }
}
