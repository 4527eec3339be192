/// A trace that a test builds line by line.
struct MadeUpTrace {
    static let log = "/data/waypost.sqlite-wal"

    private var lines: [[UInt8]] = []

    /// The calls that the reader finds in the lines.
    var calls: [SystemCall] {
        SystemCallReader.calls(in: lines)
    }

    /// Adds a call with its file, its bytes and its result.
    mutating func call(_ name: String, _ file: String, _ bytes: [UInt8]? = nil, result: Int = 0, thread: Int = 1) {
        let text = bytes.map { ", \"\(Self.escaped($0))\", \($0.count)" } ?? ""
        add("\(thread)  \(name)(7<\(Self.escaped(Array(file.utf8)))>\(text)) = \(bytes?.count ?? result)")
    }

    /// Adds the beginning of a call that other calls interrupt.
    ///
    /// `end` adds its end.
    mutating func begin(_ name: String, _ file: String, thread: Int) {
        add("\(thread)  \(name)(7<\(Self.escaped(Array(file.utf8)))> <unfinished ...>")
    }

    mutating func end(_ name: String, thread: Int) {
        add("\(thread)  <... \(name) resumed>)       = 0")
    }

    /// Adds the writes of a commit: pages of the log, the last of which contains `text`.
    mutating func commit(_ text: String, pages: Int = 2) {
        for page in 1...pages {
            let size: UInt8 = page == pages ? 9 : 0
            call("pwrite64", Self.log, [0, 0, 0, UInt8(page), 0, 0, 0, size] + Array(repeating: 1, count: 16))
            call("pwrite64", Self.log, Array(repeating: 0, count: 40) + Array((page == pages ? text : "").utf8) + [0])
        }
    }

    mutating func sync(result: Int = 0) {
        call("fdatasync", Self.log, result: result)
    }

    mutating func ask(_ start: String, socket: Int = 1) {
        call("read", "socket:[\(socket)]", Array("\(start) HTTP/1.1\r\n\r\n".utf8))
    }

    mutating func answer(_ body: String, status: Int = 200, socket: Int = 1) {
        let head = Self.escaped(Array("HTTP/1.1 \(status) OK\r\n\r\n".utf8))
        let file = Self.escaped(Array("socket:[\(socket)]".utf8))
        let body = Self.escaped(Array(body.utf8))
        add("2  writev(9<\(file)>, [{iov_base=\"\(head)\", iov_len=9}, {iov_base=\"\(body)\", iov_len=9}], 2) = 18")
    }

    mutating func receipt(_ id: String, socket: Int = 1) {
        answer(#"{"id":"\#(id)","accepted":1,"rejected":0,"durability":"fsync","results":[]}"#, socket: socket)
    }

    private mutating func add(_ line: String) {
        lines.append(Array(line.utf8))
    }

    private static func escaped(_ bytes: [UInt8]) -> String {
        bytes.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
