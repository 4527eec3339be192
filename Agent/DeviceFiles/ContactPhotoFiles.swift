internal import Attribution
internal import Foundation
internal import LocalFiles
internal import SchemaFiles
package import WaypostSchema

extension Contact {
    /// The reason why the photograph cannot be used; `nil` if it can, or there is none.
    package var photoProblem: String? {
        let description = DeviceDescription(name: "device", apps: [], contacts: [self])
        return description.errors.first.map { "\($0)" }
    }
}

/// Photographs of contacts in files that people write: the name of a picture beside the file, or base64.
extension [String: JSONValue] {
    /// Puts the photograph of a contact in place of the name of its file.
    ///
    /// - Parameters:
    ///   - file: the file that a relative name is beside.
    ///   - readsFiles: whether files can be read here, and not only on another machine.
    /// - Returns: the problem of a photograph that cannot be read, which is then absent; `nil` if there is none.
    package mutating func embedPhoto(besides file: String, readsFiles: Bool = true) -> String? {
        guard let name = self["photo"]?.string, Self.isPictureFile(name) else { return nil }
        self["photo"] = nil
        guard readsFiles else {
            return "the photo '\(name)' is on another machine, whose files are requested as text; write it as base64"
        }
        do throws(SystemError) {
            let path = FileText.path(name, relativeTo: file)
            let size = try FileContents.size(regularAt: path)
            guard size <= Contact.maximumPhotoSize else { return "\(ContactPhotoError.tooLarge(size: size))" }
            let bytes = try FileContents.bytes(regularAt: path, maximumSize: Contact.maximumPhotoSize)
            self["photo"] = .string(Data(bytes).base64EncodedString())
            return nil
        } catch {
            return "the photo '\(name)' cannot be read: \(error)"
        }
    }

    /// Puts photographs in place of the names of their files in the contacts of a device.
    ///
    /// - Parameters:
    ///   - file: the file that relative names are beside.
    ///   - readsFiles: whether files can be read here, and not only on another machine.
    /// - Returns: the problems of photographs that cannot be read, each with the index of the contact.
    package mutating func embedContactPhotos(
        besides file: String,
        readsFiles: Bool = true
    ) -> [(contact: Int, problem: String)] {
        guard var contacts = self["contacts"]?.elements else { return [] }
        var problems: [(contact: Int, problem: String)] = []
        for index in contacts.indices {
            var members = contacts[index].members
            guard members["photo"] != nil else { continue }
            if let problem = members.embedPhoto(besides: file, readsFiles: readsFiles) {
                problems.append((index, problem))
            }
            contacts[index] = .object(members)
        }
        if !contacts.isEmpty { self["contacts"] = .array(contacts) }
        return problems
    }

    /// Returns whether a string is the name of a picture file; a period is no letter of base64.
    private static func isPictureFile(_ string: String) -> Bool {
        [".png", ".jpg", ".jpeg"].contains { string.lowercased().hasSuffix($0) }
    }
}
