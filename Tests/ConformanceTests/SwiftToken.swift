/// A token of Swift source, as precise as the scan needs.
enum SwiftToken: Equatable {
    /// A keyword, a name or a number.
    case word(String)

    /// The contents of a string literal, as written.
    case literal(String)

    /// Any other character.
    case mark(Character)
}
