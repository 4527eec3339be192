internal import HashTreeCollections
internal import WaypostSchema

/// A handle in the normalized form in which handles are compared.
struct CanonicalHandle: Hashable, Sendable, Codable {
    let text: String

    init(_ handle: Handle) {
        text = handle.normalized
    }
}

/// The contacts, and the owner of each handle.
struct AddressBook: Sendable, Codable {
    private var contacts = TreeDictionary<ContactID, Contact>()
    private var owners = TreeDictionary<CanonicalHandle, [ContactID]>()

    /// All contact cards, in no particular order.
    var all: [Contact] {
        Array(contacts.values)
    }

    subscript(id: ContactID) -> Contact? {
        contacts[id]
    }

    /// Returns the contact that has a handle; of several, the one with the smallest identifier.
    func contact(for handle: CanonicalHandle) -> ContactID? {
        owners[handle]?.first
    }

    /// Adds or replaces a card and returns the handles whose owner may have changed.
    mutating func set(_ contact: Contact) -> Set<CanonicalHandle> {
        let previous = remove(contact.id) ?? []
        contacts[contact.id] = contact
        let handles = Set(contact.handles.map(CanonicalHandle.init))
        for handle in handles {
            var ids = owners[handle] ?? []
            let index = ids.firstIndex { contact.id.rawValue < $0.rawValue } ?? ids.endIndex
            ids.insert(contact.id, at: index)
            owners[handle] = ids
        }
        return previous.union(handles)
    }

    /// Removes a card and returns the handles whose owner may have changed; `nil` if there is no such card.
    mutating func remove(_ id: ContactID) -> Set<CanonicalHandle>? {
        guard let contact = contacts.removeValue(forKey: id) else { return nil }
        let handles = Set(contact.handles.map(CanonicalHandle.init))
        for handle in handles {
            let ids = (owners[handle] ?? []).filter { $0 != id }
            owners[handle] = ids.isEmpty ? nil : ids
        }
        return handles
    }
}
