/// A difference between a picture and what it must show.
struct ContentProblem: Equatable, Sendable {
    let kind: Kind
    let detail: String

    enum Kind: Sendable {
        /// A text is missing, superfluous, at another place in the reading order, or truncated differently.
        case text

        /// The title of the picture lacks a part, or has it at another place.
        case title

        /// The parts of a text are not from left to right as expected.
        case parts

        /// A text has another font size.
        case size

        /// Two texts overlap.
        case overlap

        /// A text exceeds the picture or a rectangle, or no shape contains it.
        case outside

        /// Texts that belong together have no shape for themselves.
        case shape

        /// In the font of the machine, a text would be wider than the shape below it leaves room for.
        case room

        /// A shape covers or clips a text.
        case hidden

        /// A text is darker than its ground in a dark picture, or lighter in a light one.
        case appearance
    }
}
