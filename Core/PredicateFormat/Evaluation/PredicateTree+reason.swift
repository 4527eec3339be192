extension PredicateTree.Node {
    /// Returns a human-readable reason for the node's `result` for `value`.
    func reason(for result: Bool, of value: String) -> String {
        switch self {
        case .constant(let value): value ? "it is always true" : "it is always false"
        case .comparison(let comparison): comparison.reason(for: result, of: value)
        case .not: result ? "the negated part is false" : "the negated part is true"
        case .and(let count): "all \(count) conditions are true"
        case .or(let count): "none of the \(count) alternatives is true"
        }
    }
}

extension PredicateComparison {
    /// Returns a human-readable reason for the comparison's `result` for `value`.
    func reason(for result: Bool, of value: String) -> String {
        guard case .subject = left else {
            if let mirrored { return mirrored.reason(for: result, of: value) }
            return result ? "the comparison is true" : "the comparison is false"
        }
        switch right {
        case .string(let string): return stringReason(for: result, of: value, comparedWith: string.value)
        case .aggregate(let elements): return aggregateReason(for: result, elements.count)
        case .number: return "SELF is a string, not a number"
        case .nothing: return "SELF is a string, not nil"
        case .subject: return "SELF is compared with itself"
        }
    }

    /// The equivalent comparison with `SELF` on the left; `nil` if there is none.
    private var mirrored: PredicateComparison? {
        let mirroredOperators: [Operator: Operator] = [
            .equals: .equals, .notEquals: .notEquals, .in: .contains, .contains: .in,
            .lessThan: .greaterThan, .lessThanOrEqual: .greaterThanOrEqual,
            .greaterThan: .lessThan, .greaterThanOrEqual: .lessThanOrEqual,
        ]
        guard case .subject = right, let mirroredOperator = mirroredOperators[comparisonOperator] else { return nil }
        return PredicateComparison(
            left: right,
            comparisonOperator: mirroredOperator,
            options: options,
            right: left,
            location: location
        )
    }

    private func stringReason(for result: Bool, of value: String, comparedWith other: String) -> String {
        switch comparisonOperator {
        case .equals, .notEquals:
            return (comparisonOperator == .equals) == result
                ? "SELF equals it" : StringDifference(value, from: other, options: options).clause
        case .beginsWith where result: return "SELF begins with it"
        case .endsWith where result: return "SELF ends with it"
        case .contains where result: return "SELF contains it"
        case .like where result: return "SELF matches the pattern"
        case .beginsWith, .endsWith, .contains: return searchReason(of: value, searchingFor: other)
        case .like: return likeReason(of: value, pattern: other)
        case .in: return result ? "SELF is contained in it" : "SELF is not contained in it"
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .between:
            let order = PlatformString.compare(value, other, options: options)
            return "SELF sorts \(order < 0 ? "before" : order > 0 ? "after" : "the same as") it"
        }
    }

    private func searchReason(of value: String, searchingFor part: String) -> String {
        if part.isEmpty { return "an empty string is never found" }
        if options.isEmpty, holds(for: value, with: [.caseInsensitive, .diacriticInsensitive]) {
            return "it differs only in case, width or diacritics; \(comparisonOperator.rawValue)[cd] would ignore that"
        }
        switch comparisonOperator {
        case .beginsWith: return StringDifference(value, from: part, options: options).clause
        case .endsWith: return "SELF ends with \(String(value.suffix(part.count)).quotedForReason)"
        default: return "SELF does not contain it"
        }
    }

    private func likeReason(of value: String, pattern: String) -> String {
        if pattern.isEmpty { return "an empty pattern matches nothing" }
        if options.isEmpty, holds(for: value, with: [.caseInsensitive, .diacriticInsensitive]) {
            return "it differs only in case, width or diacritics; LIKE[cd] would ignore that"
        }
        let matchesPart = StringLiteral(value).withView {
            (try? LikePattern("*\(pattern)*", options: options))?.matches($0) ?? false
        }
        return matchesPart
            ? "the pattern matches only a part of SELF; it must match all of it"
            : "SELF does not match the pattern"
    }

    private func aggregateReason(for result: Bool, _ count: Int) -> String {
        switch comparisonOperator {
        case .in: result ? "SELF is in the aggregate of \(count)" : "SELF is not in the aggregate of \(count)"
        case .between: result ? "SELF is between the bounds" : "SELF is not between the bounds"
        default: "SELF is a string, not an aggregate"
        }
    }

    private func holds(for value: String, with options: ContentPredicate.Options) -> Bool {
        var comparison = self
        comparison.options = options
        let predicate = ContentPredicate(PredicateTree(nodes: [.comparison(comparison)]))
        return predicate.program.run(on: value, budget: SearchBudget(steps: SearchBudget.hintSteps)).answer == .yes
    }
}

/// The difference between a value and the string that it should equal or begin with.
private struct StringDifference {
    /// A clause that describes the difference.
    let clause: String

    init(_ value: String, from text: String, options: ContentPredicate.Options) {
        if !options.foldsStrings, PlatformString.compare(value, text, options: []) == 0 {
            clause = "the characters are the same, but composed of other code units"
        } else if options.isEmpty, PlatformString.compare(value, text, options: .caseInsensitive) == 0 {
            clause = "it differs only in case or width; [c] would ignore that"
        } else {
            clause = Self.firstDifference(
                of: PlatformString.folded(value, options: options),
                from: PlatformString.folded(text, options: options)
            )
        }
    }

    /// Returns a clause that says where the strings begin to differ, and how each continues.
    private static func firstDifference(of value: String, from text: String) -> String {
        let commonCount = zip(value, text).prefix { $0 == $1 }.count
        let (rest, expected) = (value.dropFirst(commonCount), text.dropFirst(commonCount))
        if rest.isEmpty { return "SELF ends where \(String(expected).quotedForReason) is expected" }
        if expected.isEmpty { return "SELF continues with \(String(rest).quotedForReason)" }
        let characters = commonCount == 1 ? "1 equal character" : "\(commonCount) equal characters"
        let beginning = commonCount == 0 ? "SELF begins" : "after \(characters), SELF continues"
        return "\(beginning) with \(String(rest).quotedForReason), not with \(String(expected).quotedForReason)"
    }
}

extension String {
    /// The string in quotation marks, truncated if it is long.
    fileprivate var quotedForReason: String {
        count > 24 ? "\"\(prefix(23))…\"" : "\"\(self)\""
    }
}
