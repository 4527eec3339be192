internal import Foundation

extension SystemError {
    /// Returns the reason why a file cannot be read, such as `it does not exist`.
    ///
    /// - Parameter path: the path of a file that could not be read.
    /// - Returns: the reason.
    package static func reasonForFailedRead(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            return switch errno {
            case ENOENT: "it does not exist"
            case EACCES, EPERM: "access is denied"
            case ENOTDIR: "a part of its path is not a folder"
            default: "\(last)"
            }
        }
        defer { close(descriptor) }
        var status = stat()
        let isFolder = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        return isFolder ? "it is a folder" : "the system reports an error"
    }
}
