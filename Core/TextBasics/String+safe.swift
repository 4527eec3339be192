/// A place that shows text from elsewhere, which determines how the text is made safe.
package enum TextDestination: Sendable, CaseIterable {
    /// A line of a terminal.
    ///
    /// Control characters become U+FFFD, so no name can move the cursor or change colors, and so do the embeddings and
    /// overrides that change the direction of text (UAX #9). The isolates around names are kept only if the text has
    /// right-to-left letters, which could otherwise reorder the text around them; many terminals show them as boxes.
    case terminal

    /// Several lines of a terminal: as `terminal`, and line feeds are kept.
    case terminalLines

    /// A line of a log or of a list of problems: every invisible character is escaped, such as `\u{009B}`.
    case log

    /// A quotation in a message: as in a log, and cut after 120 characters.
    case excerpt

    /// JSON that people read: every invisible character is escaped as in JSON, such as `\u009b`.
    case json

    /// An HTML page: markup is escaped, and what could hide or reorder the text around it becomes U+FFFD.
    case html
}

extension String {
    /// Returns the text with all characters replaced or escaped that its destination would interpret.
    package func safe(for destination: TextDestination) -> String {
        switch destination {
        case .terminal:
            let keepsIsolates = unicodeScalars.contains(where: \.isRightToLeft)
            return replacingScalars { $0.isIsolate && !keepsIsolates ? "" : $0.controlsTerminal ? "\u{FFFD}" : nil }
        case .terminalLines:
            return split(separator: "\n", omittingEmptySubsequences: false)
                .map { String($0).safe(for: .terminal) }.joined(separator: "\n")
        case .log: return replacingScalars { $0.isInvisible ? $0.escaped(asASCII: true) : nil }
        case .excerpt: return excerpt.safe(for: .log)
        case .json: return replacingScalars { $0.isInvisible ? $0.escapedInJSON : nil }
        case .html: return replacingScalars(with: \.escapedInHTML)
        }
    }

    /// The first 120 Unicode scalars; characters are not counted, because one may have any number of scalars.
    private var excerpt: String {
        let limit = 120
        let beginning = unicodeScalars.prefix(limit + 1)
        return beginning.count > limit ? String(beginning.prefix(limit)) + "…" : self
    }

    /// Returns the string with the replacement for each scalar; `nil` keeps the scalar.
    private func replacingScalars(with replacement: (Unicode.Scalar) -> String?) -> String {
        // Most strings have nothing to replace.
        guard unicodeScalars.contains(where: { replacement($0) != nil }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if let string = replacement(scalar) {
                text += string
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character controls a terminal, ends a line, changes the direction of text, or is not shown.
    package var isInvisible: Bool {
        // Looking up the properties of a character takes long, and most are in ASCII.
        guard !(0x20..<0x7F ~= value) else { return false }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return true
        default: return false
        }
    }

    /// Whether a terminal acts on the character, or it overrides the direction of the text after it.
    fileprivate var controlsTerminal: Bool {
        guard !(0x20..<0x7F ~= value) else { return false }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return ("\u{202A}"..."\u{202E}").contains(self)
        }
    }

    fileprivate var isIsolate: Bool {
        ("\u{2066}"..."\u{2069}").contains(self)
    }

    /// Whether the character is in a block of right-to-left letters (Unicode 16, the defaults of `Bidi_Class`).
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF: true
        default: false
        }
    }

    fileprivate var escapedInJSON: String {
        UTF16.encode(self).map { units in units.map { "\\u" + Hexadecimal.string($0) }.joined() } ?? ""
    }

    fileprivate var escapedInHTML: String? {
        switch self {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        case "\t", "\n", "\r": " "
        case " "..."~": nil
        default: controlsTerminal || changesOtherText ? "\u{FFFD}" : nil
        }
    }

    /// Whether a character has no picture of its own, but may hide or reorder the text around it.
    private var changesOtherText: Bool {
        properties.isBidiControl || properties.isNoncharacterCodePoint || self == "\u{FEFF}"
    }
}
