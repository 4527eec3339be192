/// A card in Contacts.
public struct Contact: Codable, Sendable, Equatable {
    /// The card's identifier.
    public var id: ContactID

    /// The given name.
    public var givenName: String?

    /// The family name.
    public var familyName: String?

    /// The nickname.
    public var nickname: String?

    /// The language of the name as a BCP 47 tag, if the card has one; it distinguishes Chinese and Japanese names.
    public var language: String?

    /// The photograph, as base64 of a PNG or a JPEG of at most `maximumPhotoSize` bytes; absent for none.
    public var photo: String?

    /// The phone numbers and email addresses.
    public var handles: [Handle]

    /// The tokens of the person's devices, to which the gateway delivers the user's messages; absent for none.
    public var tokens: [DeviceToken]?

    /// The maximum size of the file of a photograph, in bytes.
    public static let maximumPhotoSize = 1_000_000

    /// Creates the value from its parts.
    public init(
        id: ContactID,
        givenName: String? = nil,
        familyName: String? = nil,
        nickname: String? = nil,
        language: String? = nil,
        photo: String? = nil,
        handles: [Handle],
        tokens: [DeviceToken]? = nil
    ) {
        self.id = id
        self.givenName = givenName
        self.familyName = familyName
        self.nickname = nickname
        self.language = language
        self.photo = photo
        self.handles = handles
        self.tokens = tokens
    }
}
