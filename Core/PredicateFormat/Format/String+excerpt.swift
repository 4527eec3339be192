extension String {
    /// How many bytes of a format a message repeats at most.
    static let excerptLength = 60

    /// The text for a message: as it is, without white space at its end, or its beginning where it is long.
    var excerpt: String {
        guard utf8.count > Self.excerptLength else {
            return String(reversed().drop(while: \.isWhitespace).reversed())
        }
        // A character that the end would cut in two is left out.
        let beginning = String(decoding: utf8.prefix(Self.excerptLength), as: UTF8.self)
        return String(beginning.prefix { $0 != "\u{FFFD}" }) + "…"
    }
}
