/// A text with a caret before the byte of interest: `{"a":1,‸}` marks the closing brace.
struct MarkedText: Sendable {
    /// The text without the caret.
    var bytes: [UInt8]

    /// The offset of the byte after the caret.
    var offset: Int

    init(_ text: String) {
        let caret = Array("‸".utf8)
        let marked = Array(text.utf8)
        let index = marked.indices.first { marked[$0...].starts(with: caret) }
        guard let index else { preconditionFailure("no caret in \(text)") }
        bytes = Array(marked[..<index] + marked[(index + caret.count)...])
        offset = index
    }
}
