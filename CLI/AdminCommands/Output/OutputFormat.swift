internal import ArgumentParser
internal import Foundation
internal import TextReports

/// The format of a command's output.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// A table for people.
    case table

    /// One JSON document: an object, or for a list an array.
    case json

    /// One JSON value per line.
    case jsonl
}

extension TextStyle {
    /// The style of text on standard output.
    static var standardOutput: Self {
        Self(of: STDOUT_FILENO)
    }

    /// Finds the style of text on an open file: that of a file, or of a terminal.
    ///
    /// Colors follow https://no-color.org.
    init(of descriptor: Int32) {
        guard isatty(descriptor) == 1 else {
            self = .plain
            return
        }
        var size = winsize()
        let hasSize = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let environment = ProcessInfo.processInfo.environment
        let hasColors = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        self.init(columns: hasSize ? Int(size.ws_col) : nil, hasColors: hasColors)
    }
}

/// The output option of commands.
struct OutputOptions: ParsableArguments {
    @Option(help: "The output format (default: table on a terminal, otherwise jsonl).")
    var format: OutputFormat?

    @Flag(name: .shortAndLong, help: "Print no result; the exit status has it.")
    var quiet = false

    /// The format of the option, or else the default one for standard output.
    var resolvedFormat: OutputFormat {
        format ?? (isatty(STDOUT_FILENO) == 1 ? .table : .jsonl)
    }

    /// Writes answers; `table` formats them as text.
    func write<Answer: Encodable>(_ answers: [Answer], table: @escaping ([Answer]) -> any TextPresentable) throws {
        var writer = writer(table: table)
        for answer in answers { try writer.write(answer) }
        try writer.finish()
    }

    /// Writes answers of which there should be some: if there are none, and the format is JSON, the text for that is
    /// written to standard error.
    func writeExplainingNone<Answer: Encodable>(
        _ answers: [Answer],
        table: @escaping ([Answer]) -> any TextPresentable
    ) throws {
        try write(answers, table: table)
        guard answers.isEmpty, resolvedFormat != .table, !quiet else { return }
        StandardError.write(table([]).text(in: .plain))
    }

    /// Returns a writer of answers; `table` formats them as text.
    func writer<Answer: Encodable>(table: @escaping ([Answer]) -> any TextPresentable) -> AnswerWriter<Answer> {
        AnswerWriter(resolvedFormat, isQuiet: quiet, table: table)
    }

    /// Writes a single answer; `text` formats it as text.
    func write<Answer: Encodable>(_ answer: Answer, text: @escaping (Answer) -> any TextPresentable) throws {
        var writer = AnswerWriter<Answer>(resolvedFormat, isQuiet: quiet, isList: false) { TextParts($0.map(text)) }
        try writer.write(answer)
        try writer.finish()
    }
}

/// A writer of answers to standard output.
struct AnswerWriter<Answer: Encodable> {
    let format: OutputFormat
    let isQuiet: Bool
    let isList: Bool
    let table: ([Answer]) -> any TextPresentable
    private var answers: [Answer] = []

    /// Creates a writer of a list, or of a single answer; `table` formats answers as text, and a quiet writer writes
    /// nothing.
    init(
        _ format: OutputFormat,
        isQuiet: Bool = false,
        isList: Bool = true,
        table: @escaping ([Answer]) -> any TextPresentable
    ) {
        self.format = format
        self.isQuiet = isQuiet
        self.isList = isList
        self.table = table
    }

    /// Accepts the next answer.
    ///
    /// JSON Lines are written at once, so that a filter answers while it reads.
    mutating func write(_ answer: Answer) throws {
        guard !isQuiet else { return }
        switch format {
        case .jsonl: try Self.print(JSONOutput.line(answer))
        case .json, .table: answers.append(answer)
        }
    }

    /// Writes the answers that are not yet written.
    func finish() throws {
        guard !isQuiet else { return }
        switch format {
        case .jsonl: break
        case .json:
            guard let answer = answers.first, !isList else { return try Self.print(JSONOutput.document(answers)) }
            try Self.print(JSONOutput.document(answer))
        case .table: try Self.print(table(answers).text(in: .standardOutput))
        }
    }

    private static func print(_ text: String) throws {
        try StandardOutput.write(text + "\n")
    }
}

/// Values as JSON text.
enum JSONOutput {
    /// Returns a value as one line.
    static func line(_ value: some Encodable) throws -> String {
        try encode(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    /// Returns a value in a form that is easy to read.
    static func document(_ value: some Encodable) throws -> String {
        try encode(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    }

    private static func encode(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
