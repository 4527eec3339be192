internal import Foundation
package import SchemaFiles

/// Copies of the files that only the other program of a session can read, because it runs on another machine.
///
/// A copy has the path of its original below `folder`, so that paths in a file lead to copies too.
package struct RequestedFiles: Sendable {
    /// The answer to a request: the text of a file, or the reason why it has none.
    struct Answer: Decodable {
        var file: String
        var text: String?
        var problem: String?
    }

    private struct Request: Encodable {
        var file: String
    }

    let folder: URL
    let answers: AsyncStream<Answer>
    let write: @Sendable (String) async throws -> Void

    /// Requests a file.
    ///
    /// - Parameter path: the path on the other machine, or that of a copy.
    /// - Returns: the path of the copy.
    /// - Throws: `FileFindings` if there is no such file, or the error of `write`.
    package func copy(of path: String) async throws -> String {
        let path = originalPath(of: path)
        // A path with `..` stays below the folder.
        let copy = folder.appending(path: URL(filePath: path, relativeTo: URL(filePath: "/")).standardized.path)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        try await write(String(decoding: encoder.encode(Request(file: path)), as: UTF8.self))
        for await answer in answers {
            guard answer.file == path else {
                throw Self.finding(path, "the answer is about another file, \(answer.file)")
            }
            guard let text = answer.text else { throw Self.finding(path, answer.problem ?? "there is no such file") }
            try FileManager.default.createDirectory(
                at: copy.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: copy)
            return copy.path
        }
        throw Self.finding(path, "its content was requested, but the input has ended")
    }

    /// Returns the path of the original of a copy.
    package func originalPath(of copy: String) -> String {
        copy.hasPrefix(folder.path + "/") ? String(copy.dropFirst(folder.path.count)) : copy
    }

    /// Returns problems in copies as problems in their originals.
    package func findings(inOriginals findings: FileFindings) -> FileFindings {
        FileFindings(
            findings.findings.map { finding in
                var finding = finding
                finding.place.file = originalPath(of: finding.place.file)
                finding.message = finding.message.replacing(folder.path + "/", with: "/")
                return finding
            }
        )
    }

    /// Removes all copies.
    package func remove() {
        // A failure does no harm: the system clears its folder for temporary files.
        try? FileManager.default.removeItem(at: folder)
    }

    private static func finding(_ file: String, _ problem: String) -> FileFindings {
        FileFindings([FileFinding(place: SourcePlace(file: file, line: 1, column: 1), message: problem)])
    }
}
