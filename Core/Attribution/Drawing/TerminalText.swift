/// Makes text fit to be written to a terminal.
public enum TerminalText {
    /// Returns a text without anything that a terminal would act on.
    ///
    /// Control characters become U+FFFD: no name can move the cursor or change colours. The isolates around names stay only
    /// where a text has letters that run from right to left, as they keep those from reordering what stands beside them;
    /// elsewhere many terminals would show them as boxes.
    public static func safe(_ text: String) -> String {
        let keepsIsolates = text.unicodeScalars.contains(where: \.runsRightToLeft)
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: safe.append("\u{FFFD}")
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

    /// Whether it is in a block whose letters run from right to left (Unicode 16, the defaults of `Bidi_Class`).
    fileprivate var runsRightToLeft: Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF: true
        default: false
        }
    }
}
