public import WaypostSchema

/// The color of a person's avatar, one of twelve, which stays the same as long as the person does.
public struct AvatarColor: Sendable, Hashable {
    /// The index of the color, from 0 to 11.
    public let index: Int

    /// The number of colors.
    public static let count = 12

    /// Creates a color from an index; after 11, indices start again at 0.
    public init(index: Int) {
        self.index = Int(index.magnitude % UInt(Self.count))
    }

    /// Creates the color of a person from the identifier of the contact card, or from the handle if there is none.
    ///
    /// It uses the 64-bit FNV-1a hash (Fowler, Noll, Vo), because the standard library's hash differs between runs.
    public init(of person: Person) {
        let hash = PersonIdentity(of: person).string.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        index = Int(hash % UInt64(Self.count))
    }
}
