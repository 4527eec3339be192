internal import COpenSSL

/// An error of OpenSSL.
package struct CryptographyError: Error, Sendable, CustomStringConvertible {
    /// A description of the newest error of this thread.
    package let description: String

    /// Creates the error from the newest one of this thread.
    package init() {
        description = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            ERR_error_string_n(ERR_peek_last_error(), text.baseAddress, text.count)
            ERR_clear_error()
            return text.baseAddress.map { String(cString: $0) } ?? ""
        }
    }
}
