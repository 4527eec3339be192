/// A place in a file.
package struct SourcePlace: Sendable, Hashable {
    /// The path of the file, as the user gave it.
    package var file: String

    /// The line, from 1.
    package var line: Int

    /// The column, from 1, in Unicode scalars.
    package var column: Int

    /// Creates the place from its parts.
    package init(file: String, line: Int, column: Int) {
        (self.file, self.line, self.column) = (file, line, column)
    }
}

extension SourcePlace: Comparable {
    /// Compares the files by their names, and the places in a file by their order.
    package static func < (first: Self, second: Self) -> Bool {
        (first.file, first.line, first.column) < (second.file, second.line, second.column)
    }
}

extension SourcePlace: CustomStringConvertible {
    /// The place as `FILE:LINE:COLUMN`, which editors and terminals recognize.
    package var description: String {
        "\(file):\(line):\(column)"
    }
}
