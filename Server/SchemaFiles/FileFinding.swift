internal import TextBasics

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
