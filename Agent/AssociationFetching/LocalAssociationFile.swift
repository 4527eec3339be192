internal import Foundation
internal import LocalFiles
internal import UniversalLinks
internal import WaypostSchema

/// A local file that stands in for a domain's.
enum LocalAssociationFile {
    /// Returns what the file at `path` holds.
    ///
    /// No more than a file can have is read, and nothing is waited for, so that a pipe or a device does no harm.
    static func bytes(at path: String) throws(AssociationFailure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try OpenFile(path: path, O_RDONLY | O_NONBLOCK).read(upTo: AssociationFile.maximumSize + 1)
        } catch {
            throw AssociationFailure(code: .unreadable, message: "the file '\(path.excerpt)' cannot be read: \(error)")
        }
        guard bytes.count <= AssociationFile.maximumSize else { throw .tooLarge(nil) }
        return bytes
    }
}
