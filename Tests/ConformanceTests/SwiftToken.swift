/// A piece of Swift source, as far as it is told apart here.
enum SwiftToken: Equatable {
    /// A keyword, a name or a number.
    case word(String)

    /// What a string literal holds, as it is written.
    case literal(String)

    /// Any other character.
    case mark(Character)
}
