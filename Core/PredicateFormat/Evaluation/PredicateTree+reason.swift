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
    ///
    /// - Parameters:
    ///   - result: the result.
    ///   - value: the value.
    ///   - written: the operator in the format, if this is the mirrored comparison.
    /// - Returns: the reason, as a clause.
    func reason(for result: Bool, of value: String, written: Operator? = nil) -> String {
        let written = written ?? comparisonOperator
        guard case .subject = left else {
            if let mirrored { return mirrored.reason(for: result, of: value, written: written) }
            return result ? "the comparison is true" : "the comparison is false"
        }
        switch right {
        case .string(let string): return stringReason(for: result, of: value, comparedWith: string.value, written)
        case .aggregate(let elements): return aggregateReason(for: result, of: value, among: elements)
        case .number(.integer(0)):
            return "SELF is a string, not a number; NO and FALSE without quotation marks are the boolean 0"
        case .number(.integer(1)):
            return "SELF is a string, not a number; YES and TRUE without quotation marks are the boolean 1"
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

    private func stringReason(
        for result: Bool,
        of value: String,
        comparedWith other: String,
        _ written: Operator
    ) -> String {
        switch comparisonOperator {
        case .equals, .notEquals:
            return (comparisonOperator == .equals) == result
                ? "SELF equals it" : differenceReason(of: value, from: other, written)
        case .beginsWith where result: return "SELF begins with it"
        case .endsWith where result: return "SELF ends with it"
        case .contains where result: return "SELF contains it"
        case .like where result: return "SELF matches the pattern"
        case .beginsWith, .endsWith, .contains: return searchReason(of: value, searchingFor: other, written)
        case .like: return likeReason(of: value, pattern: other, written)
        case .in:
            return result
                ? "SELF is contained in it"
                : ignoredDifference(of: value, written) ?? "SELF is not contained in it"
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .between:
            let order = PlatformString.compare(value, other, options: options)
            let text = "SELF sorts \(order < 0 ? "before" : order > 0 ? "after" : "the same as") it"
            guard let number = Double(value), let otherNumber = Double(other) else { return text }
            let hasOrderOfNumbers = (number < otherNumber) == (order < 0) && (number > otherNumber) == (order > 0)
            return hasOrderOfNumbers ? text : "\(text), because both are compared as text, not as numbers"
        }
    }

    private func differenceReason(of value: String, from other: String, _ written: Operator) -> String {
        let isSameText = !options.foldsStrings && PlatformString.compare(value, other, options: []) == 0
        if !isSameText, let difference = ignoredDifference(of: value, by: .equals, written) { return difference }
        return StringDifference(value, from: other, options: options).clause
    }

    /// Returns the difference that further options would ignore, so that the comparison would be true; `nil` if there is
    /// none.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - comparisonOperator: the operator, if it is not the one of the comparison.
    ///   - written: the operator in the format.
    /// - Returns: the difference, and the operator with the options.
    private func ignoredDifference(
        of value: String,
        by comparisonOperator: Operator? = nil,
        _ written: Operator
    ) -> String? {
        guard !options.contains(.normalized) else { return nil }
        var comparison = self
        comparison.comparisonOperator = comparisonOperator ?? self.comparisonOperator
        let differences: [(name: String, options: ContentPredicate.Options)] = [
            ("case or width", .caseInsensitive), ("diacritics or width", .diacriticInsensitive),
            ("case, width or diacritics", [.caseInsensitive, .diacriticInsensitive]),
        ]
        for difference in differences where !options.isSuperset(of: difference.options) {
            let options = options.union(difference.options)
            guard comparison.holds(for: value, with: options) else { continue }
            let name = written.rawValue + options.canonicalText
            return "it differs only in \(difference.name); \(name) would ignore that"
        }
        return nil
    }

    private func searchReason(of value: String, searchingFor part: String, _ written: Operator) -> String {
        if part.isEmpty { return "an empty string is never found" }
        if let difference = ignoredDifference(of: value, written) { return difference }
        switch comparisonOperator {
        case .beginsWith: return StringDifference(value, from: part, options: options).clause
        case .endsWith: return "SELF ends with \(String(value.suffix(part.count)).quotedForReason)"
        default: return "SELF does not contain it"
        }
    }

    private func likeReason(of value: String, pattern: String, _ written: Operator) -> String {
        if pattern.isEmpty { return "an empty pattern matches nothing" }
        if let difference = ignoredDifference(of: value, written) { return difference }
        let matchesPart = StringLiteral(value).withView {
            (try? LikePattern("*\(pattern)*", options: options))?.matches($0) ?? false
        }
        if matchesPart { return "the pattern matches only a part of SELF; it must match all of it" }
        let mismatch = (try? LikePattern(pattern, options: options))?.mismatch(in: value)
        return mismatch ?? "SELF does not match the pattern"
    }

    private func aggregateReason(
        for result: Bool,
        of value: String,
        among elements: [PredicateOperand]
    ) -> String {
        switch comparisonOperator {
        case .in where result: return "SELF is in the aggregate of \(elements.count)"
        case .in: return "SELF is not in the aggregate of \(elements.count)\(hintAboutCase(of: value, among: elements))"
        case .between:
            let text = result ? "SELF is between the bounds" : "SELF is not between the bounds"
            let bounds = elements.compactMap { element in
                if case .string(let bound) = element { Double(bound.value) } else { nil }
            }
            guard let number = Double(value), bounds.count == 2 else { return text }
            let isBetweenNumbers = bounds[0] <= number && number <= bounds[1]
            return isBetweenNumbers == result ? text : "\(text), which are compared as text, not as numbers"
        default: return "SELF is a string, not an aggregate"
        }
    }

    /// Returns the hint that an element differs only in case or diacritics; empty if none does.
    private func hintAboutCase(of value: String, among elements: [PredicateOperand]) -> String {
        let similar = elements.lazy.compactMap { element in
            if case .string(let string) = element { string.value } else { nil }
        }
        .first { PlatformString.compare(value, $0, options: [.caseInsensitive, .diacriticInsensitive]) == 0 }
        guard let similar else { return "" }
        return """
            , in which \(similar.quotedForReason) differs only in case, width or diacritics; IN with an aggregate ignores no \
            difference, but ==[cd] does
            """
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
    var quotedForReason: String {
        count > 24 ? "\"\(prefix(23))…\"" : "\"\(self)\""
    }
}
