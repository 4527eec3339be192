internal import Foundation

/// The end of a log file.
enum LogTail {
    /// The number of lines that a message has.
    private static let lineCount = 5

    /// Returns the last lines of a file that are not empty; none if it cannot be read.
    static func lines(of path: String) -> [String] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").suffix(lineCount).map(String.init)
    }
}
