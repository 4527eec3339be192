internal import ArgumentParser
internal import Attribution
internal import Foundation

/// How a command writes its answer.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// For people.
    case table

    /// One JSON document.
    case json

    /// One JSON value a line.
    case jsonl
}

/// The option that every command with an answer has.
struct OutputOptions: ParsableArguments {
    @Option(help: "How to write the answer (default: table on a terminal, jsonl elsewhere).")
    var format: OutputFormat?

    /// The format that was asked for, or the one that suits standard output.
    var resolved: OutputFormat {
        format ?? (isatty(STDOUT_FILENO) == 1 ? .table : .jsonl)
    }

    /// Writes answers; `table` puts them in words.
    func write<Answer: Encodable>(_ answers: [Answer], table: @escaping ([Answer]) -> String) throws {
        var writer = AnswerWriter(resolved, table: table)
        for answer in answers { try writer.write(answer) }
        try writer.finish()
    }

    /// Writes the only answer; `text` puts it in words.
    func write<Answer: Encodable>(_ answer: Answer, text: @escaping (Answer) -> String) throws {
        try write([answer]) { $0.map(text).joined() }
    }
}

/// Writes answers to standard output.
struct AnswerWriter<Answer: Encodable> {
    let format: OutputFormat
    let table: ([Answer]) -> String
    private var answers: [Answer] = []

    /// Creates a writer; `table` puts answers in words.
    init(_ format: OutputFormat, table: @escaping ([Answer]) -> String) {
        self.format = format
        self.table = table
    }

    /// Takes the next answer; as JSON Lines it is written at once, so that a filter answers while it reads.
    mutating func write(_ answer: Answer) throws {
        switch format {
        case .jsonl: try Self.print(JSONText.line(answer))
        case .json, .table: answers.append(answer)
        }
    }

    /// Writes what is not yet written.
    func finish() throws {
        switch format {
        case .jsonl: break
        case .json: try Self.print(JSONText.document(answers))
        case .table: try Self.print(TerminalText.safe(lines: table(answers)))
        }
    }

    private static func print(_ text: String) throws {
        try StandardOutput.write(text + "\n")
    }
}

/// Values as JSON text.
enum JSONText {
    /// Returns a value on one line.
    static func line(_ value: some Encodable) throws -> String {
        try encode(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    /// Returns a value for people to read.
    static func document(_ value: some Encodable) throws -> String {
        try encode(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    }

    private static func encode(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// A table of plain text: columns as wide as their widest cell, two spaces apart.
struct TextTable: Equatable {
    let header: [String]
    let rows: [[String]]

    /// The table's lines, without spaces at their ends.
    var text: String {
        let lines = [header] + [header.map { String(repeating: "─", count: $0.count) }] + rows
        let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { cells in Self.line(cells, widths) }.joined(separator: "\n")
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).map { cell, width in
            cell + String(repeating: " ", count: width - cell.count)
        }
        let line = padded.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
