internal import Foundation

/// An error of a system call.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The error number, such as `ENOSPC`.
    package let code: CInt

    private let reason: String?

    init(code: CInt, _ reason: String? = nil) {
        self.code = code
        self.reason = reason
    }

    /// The error of the system call that has just failed.
    static var last: Self { Self(code: errno) }

    /// The reason, or the system's message.
    package var description: String {
        reason ?? String(cString: strerror(code))
    }
}
