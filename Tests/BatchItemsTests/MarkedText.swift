/// A text with a caret before the byte of interest: `{"a":1,‸}` marks the closing brace.
struct MarkedText: Sendable {
    /// The text without the caret.
    var bytes: [UInt8]

    /// The offset of the byte after the caret.
    var offset: Int

    init(_ text: String) {
        let caret = Array("‸".utf8)
        let marked = Array(text.utf8)
        let place = marked.indices.first { marked[$0...].starts(with: caret) }
        guard let place else { preconditionFailure("no caret in \(text)") }
        bytes = Array(marked[..<place] + marked[(place + caret.count)...])
        offset = place
    }
}
