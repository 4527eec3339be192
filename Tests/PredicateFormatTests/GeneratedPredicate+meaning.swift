import PredicateFormat

extension GeneratedPredicate {
    /// The outcome of an evaluation.
    enum Outcome: Equatable {
        /// The result, the canonical form of the deciding part, and the result of that part.
        case answer(Bool, deciding: String, result: Bool)

        /// The comparison that failed, as the number of comparisons before it.
        case error(Int)

        var result: Bool? {
            if case .answer(let result, _, _) = self { result } else { nil }
        }
    }

    /// Evaluates operands from left to right until the result is known.
    ///
    /// `number` is the number of comparisons before this one.
    func outcome(for value: String, number: Int = 0) -> Outcome {
        switch self {
        case .constant(let result): return .answer(result, deciding: canonicalText, result: result)
        case .comparison(let comparison):
            guard let result = comparison.holds(for: value) else { return .error(number) }
            return .answer(result, deciding: canonicalText, result: result)
        case .not(let operand):
            let outcome = operand.outcome(for: value, number: number)
            guard case .answer(let negated, let deciding, let result) = outcome else { return outcome }
            return .answer(!negated, deciding: deciding, result: result)
        case .and(let operands): return join(operands, endingWith: false, for: value, number: number)
        case .or(let operands): return join(operands, endingWith: true, for: value, number: number)
        }
    }

    private func join(
        _ operands: [GeneratedPredicate],
        endingWith end: Bool,
        for value: String,
        number: Int
    ) -> Outcome {
        var number = number
        for operand in operands {
            let outcome = operand.outcome(for: value, number: number)
            if outcome.result != !end { return outcome }
            number += operand.comparisonCount
        }
        return .answer(!end, deciding: canonicalText, result: !end)
    }
}

extension GeneratedComparison {
    /// Returns whether the comparison holds, or `nil` if its operands are unsuitable.
    func holds(for value: String) -> Bool? {
        let (left, right) = (left.replacingSubject(with: value), right.replacingSubject(with: value))
        switch operation {
        case .equals: return left.isEqual(to: right, foldingCase: isFoldingCase)
        case .notEquals: return !left.isEqual(to: right, foldingCase: isFoldingCase)
        case .lessThan: return order(left, right) { $0 == -1 }
        case .lessThanOrEqual: return order(left, right) { $0 == -1 || $0 == 0 }
        case .greaterThan: return order(left, right) { $0 == 1 }
        case .greaterThanOrEqual: return order(left, right) { $0 == 1 || $0 == 0 }
        case .between: return left.isNothing || right.isNothing ? false : isBetween(left, right)
        case .in: return isContained(left, in: right)
        case .contains: return isContained(right, in: left)
        case .beginsWith: return compare(left, right) { !$1.isEmpty && $0.starts(with: $1) }
        case .endsWith: return compare(left, right) { !$1.isEmpty && $0.reversed().starts(with: $1.reversed()) }
        case .like:
            guard !left.isNothing, !right.isNothing else { return false }
            guard case .text(let text) = left, case .text(let pattern) = right else { return nil }
            return WildcardOracle(pattern)?.matches(text, foldingCase: isFoldingCase)
        }
    }

    private var isFoldingCase: Bool {
        options.contains(.caseInsensitive) && !options.contains(.normalized)
    }

    /// Calls `holds` with the order of the operands.
    ///
    /// Returns `false` if only one of them is `nil`, and `nil` if they have no order.
    private func order(_ left: GeneratedOperand, _ right: GeneratedOperand, _ holds: (Int?) -> Bool) -> Bool? {
        switch (left, right) {
        case (.nothing, .nothing): return holds(0)
        case (.nothing, _), (_, .nothing): return false
        case (.text(let left), .text(let right)):
            let (left, right) = (left.bytes(foldingCase: isFoldingCase), right.bytes(foldingCase: isFoldingCase))
            if left == right { return holds(0) }
            return holds(left.lexicographicallyPrecedes(right) ? -1 : 1)
        default:
            guard let left = left.number, let right = right.number else { return nil }
            return holds(left < right ? -1 : left == right ? 0 : 1)
        }
    }

    private func isBetween(_ element: GeneratedOperand, _ bounds: GeneratedOperand) -> Bool? {
        guard case .aggregate(let bounds) = bounds, bounds.count == 2 else { return nil }
        var isWithin = false
        for (lower, upper) in [(bounds[0], bounds[1]), (bounds[1], bounds[0])] {
            guard let isAbove = order(lower, element, { $0 != 1 }), let isBelow = order(element, upper, { $0 != 1 })
            else { return nil }
            isWithin = isWithin || isAbove && isBelow
        }
        return isWithin
    }

    private func isContained(_ element: GeneratedOperand, in collection: GeneratedOperand) -> Bool? {
        if case .aggregate(let elements) = collection {
            return !element.isNothing && elements.contains { element.isEqual(to: $0, foldingCase: false) }
        }
        return compare(collection, element) { text, part in
            !part.isEmpty && text.indices.contains { text[$0...].starts(with: part) }
        }
    }

    private func compare(
        _ left: GeneratedOperand,
        _ right: GeneratedOperand,
        _ holds: ([UInt8], [UInt8]) -> Bool
    ) -> Bool? {
        guard !left.isNothing, !right.isNothing else { return false }
        guard case .text(let left) = left, case .text(let right) = right else { return nil }
        return holds(left.bytes(foldingCase: isFoldingCase), right.bytes(foldingCase: isFoldingCase))
    }
}

extension GeneratedOperand {
    /// Returns the operand with `SELF` replaced by `value`.
    fileprivate func replacingSubject(with value: String) -> GeneratedOperand {
        switch self {
        case .subject: .text(value)
        case .aggregate(let elements): .aggregate(elements.map { $0.replacingSubject(with: value) })
        case .text, .integer, .real, .nothing: self
        }
    }

    fileprivate var isNothing: Bool {
        if case .nothing = self { true } else { false }
    }

    fileprivate var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        case .subject, .text, .nothing, .aggregate: nil
        }
    }

    fileprivate func isEqual(to other: GeneratedOperand, foldingCase: Bool) -> Bool {
        switch (self, other) {
        case (.nothing, .nothing): return true
        case (.text(let text), .text(let other)):
            return text.bytes(foldingCase: foldingCase) == other.bytes(foldingCase: foldingCase)
        case (.aggregate(let elements), .aggregate(let others)):
            return elements.count == others.count
                && zip(elements, others).allSatisfy { $0.isEqual(to: $1, foldingCase: false) }
        default: return number.map { $0 == other.number } ?? false
        }
    }
}

extension String {
    fileprivate func bytes(foldingCase: Bool) -> [UInt8] {
        Array((foldingCase ? lowercased() : self).utf8)
    }
}
