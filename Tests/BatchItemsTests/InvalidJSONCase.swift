import BatchItems
import JSONScanning
import Testing

/// A text that is not JSON, with a caret at the error, and the error.
struct InvalidJSONCase: CustomTestStringConvertible {
    var text: MarkedText
    var problem: JSONError.Problem
    var testDescription: String

    init(_ text: String, _ problem: JSONError.Problem) {
        self.text = MarkedText(text)
        self.problem = problem
        testDescription = text.debugDescription
    }

    /// Creates a case whose error is that `expected` does not follow the caret.
    init(_ text: String, expecting expected: String) {
        self.init(text, .unexpectedEnd(expected: expected))
        if self.text.offset < self.text.bytes.count {
            let rest = String(decoding: self.text.bytes[self.text.offset...], as: UTF8.self)
            problem = .unexpectedCharacter(rest.unicodeScalars.first ?? " ", expected: expected)
        }
    }

    /// Expects the error at the caret, whatever other errors the item has.
    func expectError(sourceLocation: SourceLocation = #_sourceLocation) {
        let error = jsonError(text.bytes)
        #expect(error?.problem == problem, sourceLocation: sourceLocation)
        #expect(error?.offset == text.offset, sourceLocation: sourceLocation)
        #expect(scanError(text.bytes)?.offset == text.offset, sourceLocation: sourceLocation)
    }
}
