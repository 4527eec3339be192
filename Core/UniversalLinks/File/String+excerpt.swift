extension String {
    /// The text, from an untrusted source, for a message: truncated if it is long, and with invisible characters and
    /// those that control a terminal escaped.
    package var excerpt: String {
        // The limit counts scalars, because a character may have any number of them.
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
