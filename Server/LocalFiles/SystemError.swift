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

    /// Whether the disk, or the part of it that the user may use, is full.
    package var isFull: Bool {
        code == ENOSPC || code == EDQUOT
    }

    /// Returns the system's message for an error of Foundation, whose own says less.
    package static func reason(of error: any Error) -> String {
        var cause: (any Error)? = error
        while let error = cause {
            if let error = error as? POSIXError { return "\(Self(code: error.code.rawValue))" }
            let error = error as NSError
            if error.domain == NSPOSIXErrorDomain { return "\(Self(code: CInt(error.code)))" }
            cause = error.userInfo[NSUnderlyingErrorKey] as? any Error
        }
        return switch (error as? CocoaError)?.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: "\(Self(code: ENOENT))"
        case .fileReadNoPermission, .fileWriteNoPermission: "\(Self(code: EACCES))"
        case .fileWriteFileExists: "\(Self(code: EEXIST))"
        case .fileWriteOutOfSpace: "\(Self(code: ENOSPC))"
        case .fileWriteVolumeReadOnly: "\(Self(code: EROFS))"
        default: error.localizedDescription
        }
    }

    /// The reason, or the system's message.
    package var description: String {
        reason ?? String(cString: strerror(code))
    }
}
