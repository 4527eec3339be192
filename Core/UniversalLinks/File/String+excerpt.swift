extension String {
    /// The text, which others wrote, for a message: the start of it where it is long, and nothing in it that acts on a
    /// terminal or hides what stands there.
    package var excerpt: String {
        // Counted in scalars, as a character can be of any number of them.
        let limit = 120
        let start = unicodeScalars.prefix(limit + 1)
        let shown = start.prefix(limit).reduce(into: "") { text, scalar in
            if scalar.isVisible {
                text.unicodeScalars.append(scalar)
            } else {
                text += scalar.escaped(asASCII: true)
            }
        }
        return start.count > limit ? shown + "…" : shown
    }
}

extension Unicode.Scalar {
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
        default: true
        }
    }
}
