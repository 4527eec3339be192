import BatchItems
import JSONScanning
import Testing

/// A text that is not JSON, with a caret where it goes wrong, and why.
struct FaultCase: CustomTestStringConvertible {
    var text: MarkedText
    var problem: JSONFault.Problem
    var testDescription: String

    init(_ text: String, _ problem: JSONFault.Problem) {
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

    /// Expects that the fault is found where it is, whatever else is wrong with the item.
    func expectFault(sourceLocation: SourceLocation = #_sourceLocation) {
        let fault = jsonFault(text.bytes)
        #expect(fault?.problem == problem, sourceLocation: sourceLocation)
        #expect(fault?.offset == text.offset, sourceLocation: sourceLocation)
        #expect(scanError(text.bytes)?.offset == text.offset, sourceLocation: sourceLocation)
    }
}
