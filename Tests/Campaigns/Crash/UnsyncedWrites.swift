/// The byte ranges of a file that a process wrote and did not sync, by a trace of `strace -f -y -s 0`.
///
/// A power failure may lose them. The process must write and sync the file from one thread at a time, as the gateway
/// does with its write-ahead log.
struct UnsyncedWrites: Sendable, Equatable {
    /// The ranges in the order in which they were written.
    private(set) var ranges: [Range<Int>] = []

    /// The threads that sync the file, by the first word of their lines.
    private var syncingThreads: Set<Substring> = []

    /// Reads the lines of a trace about the file whose name ends with `suffix`.
    init(_ lines: [Substring], suffix: String) {
        for line in lines { read(line, suffix: suffix) }
    }

    private mutating func read(_ line: Substring, suffix: String) {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return }
        let (thread, call) = (parts[0], parts[1].drop { $0 == " " })
        if call.hasPrefix("<... fdatasync resumed>") || call.hasPrefix("<... fsync resumed>") {
            let isOfFile = syncingThreads.remove(thread) != nil
            if isOfFile, call.hasSuffix("= 0") { ranges = [] }
        } else if call.contains("\(suffix)>") {
            if call.hasPrefix("pwrite64(") {
                if let range = Self.range(in: call) { ranges.append(range) }
            } else if call.hasPrefix("fdatasync(") || call.hasPrefix("fsync(") {
                if call.hasSuffix("= 0") { ranges = [] }
                if call.hasSuffix("<unfinished ...>") { syncingThreads.insert(thread) }
            }
        }
    }

    /// Returns the range of `pwrite64(7</data/waypost.sqlite-wal>, ""..., 4096, 8192) = 4096`, also if the call has not
    /// ended.
    private static func range(in call: Substring) -> Range<Int>? {
        let arguments = call.prefix { $0 != ")" }.split(separator: ",")
        guard arguments.count == 4 else { return nil }
        let numbers = arguments[2...].compactMap { argument in
            Int(argument.drop { $0 == " " }.prefix { $0.isNumber })
        }
        guard numbers.count == 2 else { return nil }
        return numbers[1]..<numbers[1] + numbers[0]
    }
}
