internal import TextBasics

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

/// A problem in a file.
package struct FileFinding: Error, Sendable, Hashable {
    /// The place of the problem.
    package var place: SourcePlace

    /// The problem, and what is accepted.
    package var message: String

    /// Creates the problem from its parts.
    package init(place: SourcePlace, message: String) {
        (self.place, self.message) = (place, message)
    }
}

extension FileFinding: CustomStringConvertible {
    /// The place and the problem, in one line.
    package var description: String {
        "\(place): \(message)".safe(for: .log)
    }
}

/// The problems of a file that cannot be used.
package struct FileFindings: Error, Sendable, Equatable, CustomStringConvertible {
    /// The problems, in the order of their places.
    package let findings: [FileFinding]

    /// Creates the error; repetitions are removed, as in the combinations of a matrix.
    package init(_ findings: [FileFinding]) {
        var seen: Set<FileFinding> = []
        let uniqueFindings = findings.filter { seen.insert($0).inserted }.enumerated()
        self.findings =
            uniqueFindings
            .sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
            .map(\.element)
    }

    /// Returns the problems that `read` throws, so that several files can be read before any is refused.
    package static func findings(of read: () throws(FileFindings) -> Void) -> [FileFinding] {
        do throws(FileFindings) {
            try read()
            return []
        } catch {
            return error.findings
        }
    }

    /// One line for each problem.
    package var description: String {
        findings.map(\.description).joined(separator: "\n")
    }
}
