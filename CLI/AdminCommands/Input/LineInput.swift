internal import Foundation
internal import JSONScanning
internal import LocalFiles
internal import WaypostSchema

/// An input of lines from files or standard input.
struct LineInput {
    /// The files to read, in order; `-` is standard input.
    let files: [String]

    /// The maximum number of bytes of a line; the longest ones are answers with a whole journal.
    var maximumLineSize = LineSplitter.maximumLineSize

    /// A line of the input, and its location.
    struct Line {
        /// The bytes, without the line break.
        let bytes: Data

        /// The name of the file in messages.
        let file: String

        /// The number of the line, from 1.
        let number: Int
    }

    /// Calls `body` with each line that is not blank, as the input is read.
    ///
    /// - Parameters:
    ///   - afterChunk: called after each chunk of the input, because the next one may take time to arrive.
    ///   - body: called with each line.
    /// - Throws: the errors of `afterChunk` and `body`, and `CommandFailure` if a file cannot be read.
    func forEachLine(afterChunk: () throws -> Void = {}, _ body: (Line) throws -> Void) throws {
        for path in files.isEmpty ? ["-"] : files {
            let file = InputFile(path: path)
            var lines = LineSplitter()
            var number = 0
            func process(_ bytes: Data) throws {
                number += 1
                guard !bytes.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) else { return }
                try body(Line(bytes: bytes, file: file.name, number: number))
            }
            try file.forEachChunk { chunk in
                for line in lines.append(chunk) { try process(line) }
                guard lines.incompleteSize <= maximumLineSize else {
                    let reason = SystemError.tooLarge(maximumLineSize)
                    throw CommandFailure.unusable("\(file.name), line \(number + 1): \(reason)")
                }
                try afterChunk()
            }
            if let last = lines.finish() { try process(last) }
        }
        try afterChunk()
    }

    /// Decodes each line that is not blank, and calls `body` with the value, as the input is read.
    ///
    /// - Throws: `CommandFailure` with status 2 that names the file and the line, if a line cannot be read.
    func forEach<Value: Decodable>(
        _ type: Value.Type,
        _ body: (Value) throws -> Void
    ) throws {
        try forEachLine { line in try body(line.decoded(type)) }
    }
}

extension LineInput.Line {
    /// Returns the value that the line contains in JSON.
    func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try describingErrors { try DocumentDecoder.decode(type, fromDeepJSON: bytes) }
    }

    /// Returns the value that the line contains in JSON, in which an unknown key is an error.
    func strictlyDecoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try describingErrors {
            try DocumentDecoder.decodeStrictly(type, from: DocumentDecoder.deepDocument(bytes).root)
        }
    }

    /// Returns the value that the line contains in JSON, and the keys that nothing reads.
    func decodedWithUnknownKeys<Value: Decodable>(_ type: Value.Type) throws -> (Value, [UnknownKey]) {
        try describingErrors {
            let document = try DocumentDecoder.deepDocument(bytes)
            let (result, unknownKeys) = DocumentDecoder.decodeFindingUnknownKeys(type, from: document.root)
            return (try result.get(), unknownKeys)
        }
    }

    private func describingErrors<Value>(_ decode: () throws -> Value) throws -> Value {
        do {
            return try decode()
        } catch let error as JSONError {
            throw CommandFailure.unusable("\(file), line \(number), column \(error.offset + 1): \(error)")
        } catch let error as UnknownKeyError {
            throw CommandFailure.unusable("\(file), line \(number): \(error.sentence)")
        } catch {
            let reason = DecodingError.sentence(of: error)
            throw CommandFailure.unusable("\(file), line \(number): \(reason)")
        }
    }

    /// Returns the line as a string, without surrounding white space.
    func string() throws(CommandFailure) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
        let start = bytes.firstIndex { !isSpace($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
        guard let string = String(validating: bytes[start..<end], as: UTF8.self) else {
            throw .unusable("\(file), line \(number): the line is not UTF-8")
        }
        return string
    }
}
