internal import Foundation
internal import LocalFiles
internal import TextBasics
internal import UniversalLinks
internal import WaypostSchema

/// A local file that replaces a domain's file.
enum LocalAssociationFile {
    /// Returns the contents of the file at `path`.
    ///
    /// It reads at most the maximum size of a file and does not block, so a pipe or a device does no harm.
    static func bytes(at path: String) throws(AssociationFailure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try OpenFile(anyAt: path, O_RDONLY | O_NONBLOCK).read(upTo: AssociationFile.maximumSize + 1)
        } catch {
            throw AssociationFailure(
                code: .unreadable,
                message: "the file '\(path.safe(for: .excerpt))' cannot be read: \(error)"
            )
        }
        guard bytes.count <= AssociationFile.maximumSize else { throw .tooLarge(nil) }
        return bytes
    }
}
