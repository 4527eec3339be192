internal import Attribution
internal import Highlights
internal import WaypostSchema

/// The photographs of contacts.
extension DeviceModel {
    /// Applies an event of Contacts, of Messages or of the user's choices about them.
    ///
    /// - Throws: `IgnoredEvent` if it changes nothing, or if the photograph of a contact cannot be used.
    mutating func applySharing(_ event: SharingEvent) throws(IgnoredEvent) -> [DeviceEffect] {
        if case .contactChanged(let contact) = event {
            do throws(DescriptionError) {
                try Self.checkPhoto(of: contact)
            } catch {
                throw IgnoredEvent(reason: .unusableDescription, explanation: "\(error)")
            }
        }
        return try sharing.apply(event, at: eventMoment)
    }

    /// Checks that the photograph of a contact can be used, if there is one.
    ///
    /// - Throws: `DescriptionError.unusablePhoto`.
    static func checkPhoto(of contact: Contact) throws(DescriptionError) {
        guard let photo = contact.photo else { return }
        do throws(ContactPhotoError) {
            _ = try ContactPhoto(base64: photo)
        } catch {
            throw .unusablePhoto(contact.id, "\(error)")
        }
    }
}
