/// Functions that make text safe for a terminal.
public enum TerminalText {
    /// Returns a text without anything that a terminal would act on.
    ///
    /// Control characters become U+FFFD, so no name can move the cursor or change colors, and so do the embeddings and
    /// overrides that change the direction of text (UAX #9). The isolates around names are
    /// kept only if the text has right-to-left letters, which could otherwise reorder the text around them. In other
    /// texts they are removed, because many terminals show them as boxes.
    public static func safe(_ text: String) -> String {
        let keepsIsolates = text.unicodeScalars.contains(where: \.runsRightToLeft)
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: safe.append("\u{FFFD}")
            case .format where ("\u{202A}"..."\u{202E}").contains(scalar): safe.append("\u{FFFD}")
            default: if keepsIsolates || !scalar.isIsolate { safe.append(scalar) }
            }
        }
        return String(safe)
    }
}

extension Unicode.Scalar {
    fileprivate var isIsolate: Bool {
        ("\u{2066}"..."\u{2069}").contains(self)
    }

    /// Whether the character is in a block of right-to-left letters (Unicode 16, the defaults of `Bidi_Class`).
    fileprivate var runsRightToLeft: Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF: true
        default: false
        }
    }
}
