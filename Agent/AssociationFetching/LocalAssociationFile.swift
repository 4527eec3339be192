internal import Foundation
internal import UniversalLinks
internal import WaypostSchema

/// A local file that replaces a domain's file.
enum LocalAssociationFile {
    /// Returns the contents of the file at `path`.
    ///
    /// It reads at most the maximum size of a file and does not block, so a pipe or a device does no harm.
    static func bytes(at path: String) throws(AssociationFailure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: AssociationFile.maximumSize + 1)
        var count = 0
        while count < bytes.count {
            let step = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            guard step >= 0 else { throw unreadable(path, errno) }
            if step == 0 { break }
            count += step
        }
        guard count <= AssociationFile.maximumSize else { throw .tooLarge(nil) }
        return Array(bytes[..<count])
    }

    private static func unreadable(_ path: String, _ code: Int32) -> AssociationFailure {
        let reason = String(cString: strerror(code))
        return AssociationFailure(code: .unreadable, message: "the file '\(path.excerpt)' cannot be read: \(reason)")
    }
}
