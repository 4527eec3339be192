import Foundation
import PredicateFormat

/// The results that Foundation's strings give for the operators.
enum StringOracle: String, CaseIterable {
    case equals = "=="
    case notEquals = "!="
    case isLess = "<"
    case isLessOrSame = "<="
    case isGreater = ">"
    case isGreaterOrSame = ">="
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case `in` = "IN"

    func holds(_ value: NSString, _ text: String, _ options: ContentPredicate.Options) -> Bool {
        let comparison = Self.comparison(options)
        switch self {
        case .equals: return isEqual(value, text, options)
        case .notEquals: return !isEqual(value, text, options)
        case .isLess: return value.compare(text, options: comparison) == .orderedAscending
        case .isLessOrSame: return value.compare(text, options: comparison) != .orderedDescending
        case .isGreater: return value.compare(text, options: comparison) == .orderedDescending
        case .isGreaterOrSame: return value.compare(text, options: comparison) != .orderedAscending
        case .beginsWith: return isFound(text, in: value, comparison.union(.anchored))
        case .endsWith: return isFound(text, in: value, comparison.union([.anchored, .backwards]))
        case .contains: return isFound(text, in: value, comparison)
        case .in: return isFound(value as String, in: NSString(string: text), comparison)
        }
    }

    private func isEqual(_ value: NSString, _ text: String, _ options: ContentPredicate.Options) -> Bool {
        let folds = !options.contains(.normalized) && !options.isEmpty
        return folds
            ? value.compare(text, options: Self.comparison(options)) == .orderedSame
            : Array((value as String).utf16) == Array(text.utf16)
    }

    private func isFound(_ part: String, in text: NSString, _ options: NSString.CompareOptions) -> Bool {
        !part.isEmpty && text.range(of: part, options: options).location != NSNotFound
    }

    private static func comparison(_ options: ContentPredicate.Options) -> NSString.CompareOptions {
        if options.contains(.normalized) { return .literal }
        var comparison: NSString.CompareOptions = []
        if options.contains(.caseInsensitive) { comparison.formUnion([.caseInsensitive, .widthInsensitive]) }
        if options.contains(.diacriticInsensitive) { comparison.formUnion([.diacriticInsensitive, .widthInsensitive]) }
        return comparison
    }
}
