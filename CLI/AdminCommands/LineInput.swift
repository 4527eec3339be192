internal import Foundation
internal import JSONScanning
internal import WaypostSchema

/// Lines from files or standard input.
struct LineInput {
    /// The files to read, in order; `-` is standard input.
    let files: [String]

    /// A line of the input, and where it stands.
    struct Line {
        /// The bytes, without the line break.
        let bytes: Data

        /// The file, as a message calls it.
        let file: String

        /// The number, from 1.
        let number: Int
    }

    /// Calls `body` with each line that is not blank, while the input is read.
    ///
    /// - Parameters:
    ///   - afterPiece: called where the next line may take its time to come.
    ///   - body: called with each line.
    /// - Throws: what `afterPiece` and `body` throw, and `CommandFailure` where a file cannot be read.
    func forEachLine(afterPiece: () throws -> Void = {}, _ body: (Line) throws -> Void) throws {
        for path in files.isEmpty ? ["-"] : files {
            let file = InputFile(path: path)
            var lines = LineSplitter()
            var number = 0
            func take(_ bytes: Data) throws {
                number += 1
                guard !bytes.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) else { return }
                try body(Line(bytes: bytes, file: file.name, number: number))
            }
            try file.forEachPiece { piece in
                for line in lines.append(piece) { try take(line) }
                try afterPiece()
            }
            if let last = lines.finish() { try take(last) }
        }
        try afterPiece()
    }

    /// Calls `body` with each line that is not blank, decoded, while the input is read.
    ///
    /// - Throws: `CommandFailure` with status 2 naming the file and the line that cannot be read.
    func forEach<Value: Decodable>(
        _ type: Value.Type,
        _ body: (Value) throws -> Void
    ) throws {
        try forEachLine { line in try body(line.decoded(type)) }
    }
}

extension LineInput.Line {
    /// Returns the value that the line is in JSON.
    func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let error = JSONError.first(in: Array(bytes)) {
            throw CommandFailure.unusable("\(file), line \(number), column \(error.offset + 1): \(error)")
        }
        do {
            return try JSONDecoder().decode(type, from: bytes)
        } catch {
            let reason = (error as? DecodingError)?.sentence ?? "\(error)"
            throw CommandFailure.unusable("\(file), line \(number): \(reason)")
        }
    }

    /// Returns the text of the line, without white space around it.
    func text() throws(CommandFailure) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
        let start = bytes.firstIndex { !isSpace($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
        guard let text = String(validating: bytes[start..<end], as: UTF8.self) else {
            throw .unusable("\(file), line \(number): the line is not UTF-8")
        }
        return text
    }
}

/// Cuts bytes that come in pieces into lines.
struct LineSplitter {
    private var rest = Data()

    /// Takes a piece in and returns the lines that it completes, without their line breaks.
    ///
    /// - Complexity: O(length of the piece), however long the line is that it continues.
    mutating func append(_ piece: Data) -> [Data] {
        var lines: [Data] = []
        var start = piece.startIndex
        for lineBreak in Self.lineBreaks(in: piece) {
            let line = piece[start..<lineBreak]
            lines.append(rest.isEmpty ? line : rest + line)
            rest = Data()
            start = lineBreak + 1
        }
        rest.append(piece[start...])
        return lines
    }

    /// Looks at the bytes themselves, as `Data` is slow to be walked.
    private static func lineBreaks(in piece: Data) -> [Int] {
        piece.withUnsafeBytes { bytes in
            bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { piece.startIndex + $0 }
        }
    }

    /// Returns the last line, where the input does not end with a line break.
    mutating func finish() -> Data? {
        defer { rest = Data() }
        return rest.isEmpty ? nil : rest
    }
}
