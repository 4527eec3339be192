/// Lists of names as text; each name is isolated, so that a right-to-left name does not reorder the list.
///
/// The separators are those of CLDR 47 (`listPattern`, type `standard`), fixed here because versions of ICU differ.
/// CLDR has no text for the number of others; that is Waypost's own.
public enum NameList {
    /// Returns names and the number of other people, such as `A, B, and 2 others`.
    ///
    /// - Parameters:
    ///   - names: plain names, one or more; if there are none, the text is only the number.
    ///   - others: the number of other people; 0 for none.
    ///   - language: the language.
    /// - Returns: the list.
    public static func text(names: [String], others: Int, in language: AttributionLanguage) -> String {
        guard others > 0 else { return joined(names.map(\.isolated), in: language) }
        guard !names.isEmpty else { return number(others) }
        let isolated = names.map(\.isolated)
        let more = Wording.others(others, in: language)
        return switch language {
        // In Korean the number follows the names after a space, however many names there are.
        case .korean: isolated.joined(separator: ", ") + " " + more
        default: joined(isolated + [more], in: language)
        }
    }

    /// Returns a name and the number of other people as digits, such as `A +2`.
    ///
    /// - Parameters:
    ///   - name: a plain name.
    ///   - others: the number of other people; 0 for none.
    /// - Returns: the text, which is the same in all languages.
    public static func text(name: String, number others: Int) -> String {
        others > 0 ? "\(name.isolated) \(number(others))" : name.isolated
    }

    /// Returns the number of other people as digits, such as `+2`.
    public static func number(_ others: Int) -> String {
        "+\(others)"
    }

    private static func joined(_ items: [String], in language: AttributionLanguage) -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        let separators = ListSeparators(of: language)
        let beginning = items.dropLast().joined(separator: separators.middle)
        return beginning + (items.count == 2 ? separators.pair : separators.end) + last
    }
}

/// The separators between the items of a list.
private struct ListSeparators {
    let middle: String
    let end: String

    /// The separator of a list of two items.
    let pair: String

    init(of language: AttributionLanguage) {
        (middle, end, pair) =
            switch language {
            case .english: (", ", ", and ", " and ")
            case .simplifiedChinese: ("、", "和", "和")
            case .japanese: ("、", "、", "、")
            case .korean: (", ", " 및 ", " 및 ")
            }
    }
}
