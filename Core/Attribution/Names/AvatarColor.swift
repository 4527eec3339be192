public import WaypostSchema

/// The colour of a person's avatar, one of twelve; the same for as long as the person is the same.
public struct AvatarColor: Sendable, Hashable {
    /// Which of the colours, from 0 to 11.
    public let index: Int

    /// How many colours there are.
    public static let count = 12

    /// Creates the colour with a number; those after 11 begin again at 0.
    public init(index: Int) {
        self.index = Int(index.magnitude % UInt(Self.count))
    }

    /// Creates the colour of a person from the identifier of their card, or from their handle where they have none.
    ///
    /// It is the text's FNV-1a hash of 64 bits (Fowler, Noll, Vo), as that of the standard library differs from run to run.
    public init(of person: Person) {
        let hash = PersonIdentity(of: person).text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        index = Int(hash % UInt64(Self.count))
    }
}
