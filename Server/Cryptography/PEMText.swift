internal import COpenSSL

/// Texts in PEM (RFC 7468), which OpenSSL reads from and writes to streams in memory.
package enum PEMText {
    /// The callback that gives no password for an encrypted text; without it, OpenSSL would ask for one on the terminal.
    package static let noPassword:
        @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32 = { _, _, _, _ in
            -1
        }

    /// Calls a function with a stream that reads a text, and returns its result.
    package static func read<Value>(_ text: String, _ body: (_ stream: OpaquePointer?) -> Value) -> Value {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { bytes in
            let stream = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))
            defer {
                BIO_free(stream)
                // The end of a text is an error of OpenSSL, too.
                ERR_clear_error()
            }
            return body(stream)
        }
    }

    /// Returns what a function writes to a stream, without a final line break.
    package static func write(_ body: (_ stream: OpaquePointer?) -> Int32) -> String {
        let stream = BIO_new(BIO_s_mem())
        defer { BIO_free(stream) }
        _ = body(stream)
        let size = BIO_ctrl_pending(stream)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
            count = Int(max(BIO_read(stream, bytes.baseAddress, Int32(clamping: size)), 0))
        }
        return String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }
}
