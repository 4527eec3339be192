/// What an avatar shows of a person.
public enum Monogram: Sendable, Hashable {
    /// One or two grapheme clusters: initials, a character of the name, an emoji.
    case letters(String)

    /// The outline of a person, for who is only known by a number or an address.
    case silhouette
}
