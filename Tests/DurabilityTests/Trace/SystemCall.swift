/// A system call of a trace: the call of a thread, and the lines on which it began and ended.
struct SystemCall: Sendable, Equatable {
    /// The name of the call.
    var name: String

    /// The target of the file descriptor: a path, or `socket:[…]`.
    var file: String

    /// The bytes that were read or written, as far as the trace contains them.
    var bytes: [UInt8]

    /// Whether the call succeeded.
    var isDone: Bool

    /// The lines of the trace on which it began and ended.
    var (begin, end): (Int, Int)
}

/// A parser of the output of `strace -f -y -xx`.
///
/// A call that other calls interrupt is on two lines: the first ends with `<unfinished ...>`, the second begins with
/// `<... name resumed>`.
struct SystemCallReader {
    private struct Unfinished {
        var text: [UInt8]
        var begin: Int
    }

    private var unfinished: [Int: Unfinished] = [:]

    /// Returns the calls of a trace in the order in which they began.
    static func calls(in lines: [[UInt8]]) -> [SystemCall] {
        var reader = Self()
        return lines.enumerated().compactMap { reader.read($1, number: $0) }.sorted { $0.begin < $1.begin }
    }

    private mutating func read(_ line: [UInt8], number: Int) -> SystemCall? {
        let thread = Int(String(decoding: line.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)) ?? 0
        let text = line.drop { $0 != UInt8(ascii: " ") }.drop { $0 == UInt8(ascii: " ") }
        if text.hasSuffix("<unfinished ...>") {
            unfinished[thread] = Unfinished(text: Array(text.dropLast("<unfinished ...>".utf8.count)), begin: number)
            return nil
        }
        guard text.starts(with: "<... ".utf8) else { return Self.call(text, begin: number, end: number) }
        guard let start = unfinished.removeValue(forKey: thread) else { return nil }
        let rest = text.drop { $0 != UInt8(ascii: ">") }.dropFirst()
        return Self.call((start.text + rest)[...], begin: start.begin, end: number)
    }

    /// Parses a complete call: `name(7<file>, "…", …) = result`.
    private static func call(_ text: ArraySlice<UInt8>, begin: Int, end: Int) -> SystemCall? {
        guard let parenthesis = text.firstIndex(of: UInt8(ascii: "(")) else { return nil }
        let arguments = text[parenthesis...]
        guard let open = arguments.firstIndex(of: UInt8(ascii: "<")),
            let close = arguments[open...].firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        let parts = arguments[close...].split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        // Every second part is between quotation marks.
        let texts = stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
        // `= 0`, or `= -1 EIO (Input/output error)`.
        let result = text[((text.lastIndex(of: UInt8(ascii: "=")) ?? text.startIndex) + 1)...]
        return SystemCall(
            name: String(decoding: text[..<parenthesis], as: UTF8.self),
            file: String(decoding: unescaped(arguments[(open + 1)..<close]), as: UTF8.self),
            bytes: texts.flatMap(unescaped),
            isDone: result.dropFirst().first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == true,
            begin: begin,
            end: end
        )
    }

    /// Decodes `\x2f\x61` as `/a`.
    ///
    /// Text that is not escaped is returned unchanged.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.first == UInt8(ascii: "\\") else { return Array(text) }
        return text.withUnsafeBufferPointer { text in
            [UInt8](unsafeUninitializedCapacity: text.count / 4) { bytes, count in
                count = text.count / 4
                for index in 0..<count {
                    bytes[index] = digit(text[index * 4 + 2]) << 4 | digit(text[index * 4 + 3])
                }
            }
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8 {
        byte <= UInt8(ascii: "9") ? byte &- UInt8(ascii: "0") : byte &- UInt8(ascii: "a") &+ 10
    }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
    fileprivate func hasSuffix(_ text: String) -> Bool {
        suffix(text.utf8.count).elementsEqual(text.utf8)
    }
}
