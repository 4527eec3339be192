/// Names as a list in words; each is isolated, so that a name from right to left does not change the order of the list.
///
/// The separators are those of CLDR 47 (`listPattern`, type `standard`), pinned here because versions of ICU disagree. How
/// many others there are is not in CLDR; that is ours.
public enum NameList {
    /// Returns names, and how many other people there are, such as `A, B, and 2 others`.
    ///
    /// - Parameters:
    ///   - names: plain names, one or more; where there is none, the text is the number alone.
    ///   - others: how many people there are besides; 0 for none.
    ///   - language: the language.
    /// - Returns: the list.
    public static func text(names: [String], others: Int, in language: AttributionLanguage) -> String {
        guard others > 0 else { return joined(names.map(\.isolated), in: language) }
        guard !names.isEmpty else { return number(others) }
        let isolated = names.map(\.isolated)
        let more = Wording.others(others, in: language)
        return switch language {
        // It follows the names, however many they are.
        case .korean: isolated.joined(separator: ", ") + " " + more
        default: joined(isolated + [more], in: language)
        }
    }

    /// Returns a name, and how many other people there are as a number, such as `A +2`.
    ///
    /// - Parameters:
    ///   - name: a plain name.
    ///   - others: how many people there are besides; 0 for none.
    /// - Returns: the same in all languages.
    public static func text(name: String, number others: Int) -> String {
        others > 0 ? "\(name.isolated) \(number(others))" : name.isolated
    }

    /// Returns how many other people there are as a number, such as `+2`.
    public static func number(_ others: Int) -> String {
        "+\(others)"
    }

    private static func joined(_ items: [String], in language: AttributionLanguage) -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        let separators = ListSeparators(of: language)
        let before = items.dropLast().joined(separator: separators.between)
        return before + (items.count == 2 ? separators.ofTwo : separators.beforeLast) + last
    }
}

/// What stands between the items of a list.
private struct ListSeparators {
    let between: String
    let beforeLast: String

    /// Between the only two.
    let ofTwo: String

    init(of language: AttributionLanguage) {
        (between, beforeLast, ofTwo) =
            switch language {
            case .english: (", ", ", and ", " and ")
            case .simplifiedChinese: ("、", "和", "和")
            case .japanese: ("、", "、", "、")
            case .korean: (", ", " 및 ", " 및 ")
            }
    }
}
