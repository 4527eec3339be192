import Deflate

/// A registered device.
struct Device {
    let token: String
    let secret: String
}

/// The items of the benchmarks, which all have the same size.
enum Item {
    static let topic = "com.example.clowntown"

    /// The bytes of an item of a batch, and of a message of a broker with its header.
    static let size = 335
    static let batch = 500
    private static let text = (0..<(26 + size)).map { UInt8(ascii: "a") + UInt8($0 * 7 % 26) }

    /// Appends an item for a device as a line of a batch.
    ///
    /// - Parameters:
    ///   - number: the number of the item, which determines its text.
    ///   - token: the token of the device.
    ///   - time: when the item was due, in microseconds from the start of a run.
    ///   - lines: the lines of the batch.
    static func append(_ number: Int, for token: String, due time: Int = 0, to lines: inout ByteQueue) {
        let before = lines.count
        lines.append(#"{"token":""#)
        lines.append(token)
        lines.append(#"","topic":"com.example.clowntown","payload":"#)
        appendPayload(number, due: time, upTo: before + size - 2, to: &lines)
        lines.append("}\n")
    }

    /// Appends a payload that contains the time, so that its receiver knows how long it took.
    static func appendPayload(_ number: Int, due time: Int, upTo end: Int, to bytes: inout ByteQueue) {
        bytes.append(#"{"aps":{"alert":"Honk"},"t":""#)
        var scale = 100_000_000_000
        while scale > 0 {
            bytes.append(UInt8(time / scale % 10) + UInt8(ascii: "0"))
            scale /= 10
        }
        bytes.append(#"","s":""#)
        let length = max(0, end - 2 - bytes.count)
        text.withUnsafeBufferPointer { text in
            bytes.append(UnsafeBufferPointer(rebasing: text[(number % 26)..<(number % 26 + length)]))
        }
        bytes.append(#""}"#)
    }

    /// Returns when the item in the bytes was due.
    static func dueTime(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        bytes.number(after: #""t":""#)
    }

    /// Appends a request for a batch.
    static func appendRequest(of lines: borrowing ByteQueue, isCompressed: Bool, to output: inout ByteQueue) {
        output.append("POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n")
        if isCompressed {
            let body = Deflater.deflate(Array(lines.bytes), as: .gzip, level: Deflater.Level(1))
            output.append("Content-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n")
            body.withUnsafeBufferPointer { output.append($0) }
        } else {
            output.append("Content-Length: \(lines.count)\r\n\r\n")
            output.append(lines.bytes)
        }
    }
}
