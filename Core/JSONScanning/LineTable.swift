/// The offsets at which the lines of a text start.
package struct LineTable: Sendable {
    private var lineStarts = [0]

    /// Creates the table of a text.
    package init(_ bytes: [UInt8]) {
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { lineStarts.append(index + 1) }
    }

    /// Returns the line and the column of the byte at `offset`, both from 1.
    ///
    /// - Complexity: O(log lines).
    package func location(of offset: Int) -> (line: Int, column: Int) {
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low + 1, offset - lineStarts[low] + 1)
    }
}
