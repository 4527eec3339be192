internal import Foundation
internal import JSONScanning
internal import WaypostSchema

/// Lines of JSON from files or standard input.
struct LineInput {
    /// The files to read, in order; `-` is standard input.
    let files: [String]

    /// Calls `body` with each line that is not blank, decoded, while the input is read.
    ///
    /// - Throws: `CommandFailure` with status 2 naming the file and the line that cannot be read.
    func forEach<Value: Decodable>(
        _ type: Value.Type,
        _ body: (Value) throws -> Void
    ) throws {
        for path in files.isEmpty ? ["-"] : files {
            let file = InputFile(path: path)
            var lines = LineSplitter()
            var number = 0
            try file.forEachPiece { piece in
                for line in lines.append(piece) { try decode(line, file.name, &number, body) }
            }
            if let last = lines.finish() { try decode(last, file.name, &number, body) }
        }
    }

    private func decode<Value: Decodable>(
        _ line: Data,
        _ name: String,
        _ number: inout Int,
        _ body: (Value) throws -> Void
    ) throws {
        number += 1
        guard !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) else { return }
        if let fault = JSONFault.first(in: Array(line)) {
            throw CommandFailure.unusable("\(name), line \(number), column \(fault.offset + 1): \(fault)")
        }
        let value: Value
        do {
            value = try JSONDecoder().decode(Value.self, from: line)
        } catch {
            let reason = (error as? DecodingError)?.sentence ?? "\(error)"
            throw CommandFailure.unusable("\(name), line \(number): \(reason)")
        }
        try body(value)
    }
}

/// Cuts bytes that come in pieces into lines.
struct LineSplitter {
    private var rest = Data()

    /// Takes a piece in and returns the lines that it completes, without their line breaks.
    ///
    /// - Complexity: O(length of the piece), however long the line is that it continues.
    mutating func append(_ piece: Data) -> [Data] {
        var parts = piece.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let last = parts.removeLast()
        guard !parts.isEmpty else {
            rest.append(last)
            return []
        }
        rest.append(parts.removeFirst())
        let lines = [rest] + parts.map { Data($0) }
        rest = Data(last)
        return lines
    }

    /// Returns the last line, where the input does not end with a line break.
    mutating func finish() -> Data? {
        defer { rest = Data() }
        return rest.isEmpty ? nil : rest
    }
}
