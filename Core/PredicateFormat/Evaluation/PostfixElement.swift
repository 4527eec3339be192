internal import WaypostSchema

/// An element of a comparison in postfix notation: a question about `SELF`, or an operator on the answers before it.
enum PostfixElement {
    case constant(Bool)

    /// Whether `SELF` has exactly the units of a string.
    case isString(String)

    case test(StringTest)

    /// A question that cannot be answered.
    case error(ContentPredicateError)

    case not
    case and(Int)
    case or(Int)
}

extension PredicateComparison {
    /// The comparison in postfix notation.
    ///
    /// `nil` equals only itself, and every other comparison with it is false. A string and a number are unequal, and
    /// have no order. An aggregate contains a value if the value equals an element; options are ignored
    /// (`docs/predicates.md`).
    var postfixElements: [PostfixElement] {
        switch comparisonOperator {
        case .equals: Self.equality(left, right, options: options, location: location)
        case .notEquals: Self.equality(left, right, options: options, location: location) + [.not]
        case .lessThan: order(left, .isLess, right: right)
        case .lessThanOrEqual: order(left, .isLessOrSame, right: right)
        case .greaterThan: order(left, .isGreater, right: right)
        case .greaterThanOrEqual: order(left, .isGreaterOrSame, right: right)
        case .between: between()
        case .in: containment(of: left, in: right)
        case .contains: containment(of: right, in: left)
        case .beginsWith: stringTest(left, .relation(.beginsWith), right: right)
        case .endsWith: stringTest(left, .relation(.endsWith), right: right)
        case .like: stringTest(left, .like, right: right)
        }
    }

    private static func equality(
        _ left: PredicateOperand,
        _ right: PredicateOperand,
        options: ContentPredicate.Options,
        location: Location
    ) -> [PostfixElement] {
        switch (left, right) {
        case (.nothing, .nothing): return [.constant(true)]
        case (.number(let left), .number(let right)): return [.constant(left == right)]
        case (.string(let left), .string(let right)) where !options.foldsStrings: return [.constant(left == right)]
        case (.aggregate(let left), .aggregate(let right)):
            guard left.count == right.count else { return [.constant(false)] }
            return join(
                zip(left, right).map { equality($0, $1, options: [], location: location) },
                by: PostfixElement.and
            )
        default:
            guard let left = left.stringOperand, let right = right.stringOperand else { return [.constant(false)] }
            return stringElements(
                left,
                options.foldsStrings ? .relation(.isSame) : .equals,
                right: right,
                options: options,
                location: location
            )
        }
    }

    private func order(
        _ left: PredicateOperand,
        _ relation: StringTest.Relation,
        right: PredicateOperand
    ) -> [PostfixElement] {
        switch (left, right) {
        case (.nothing, .nothing): return [.constant(relation == .isLessOrSame || relation == .isGreaterOrSame)]
        case (.nothing, _), (_, .nothing): return [.constant(false)]
        case (.number(let left), .number(let right)): return [.constant(Self.isInOrder(left, relation, right: right))]
        default:
            guard let leftString = left.stringOperand, let rightString = right.stringOperand else {
                return [error(left, right, accepted: "two strings or two numbers")]
            }
            return Self.stringElements(
                leftString,
                .relation(relation),
                right: rightString,
                options: options,
                location: location
            )
        }
    }

    private static func isInOrder(
        _ left: PredicateNumber,
        _ relation: StringTest.Relation,
        right: PredicateNumber
    ) -> Bool {
        switch relation {
        case .isLess: left < right
        case .isLessOrSame: left <= right
        case .isGreater: left > right
        default: left >= right
        }
    }

    /// Whether the left operand is within the bounds, which are included and may be in either order.
    private func between() -> [PostfixElement] {
        if left == .nothing || right == .nothing { return [.constant(false)] }
        guard case .aggregate(let bounds) = right, bounds.count == 2 else {
            return [error(left, right, accepted: "an aggregate of exactly two bounds on the right")]
        }
        let ranges = [(bounds[0], bounds[1]), (bounds[1], bounds[0])].map { lower, upper in
            Self.join(
                [order(left, .isGreaterOrSame, right: lower), order(left, .isLessOrSame, right: upper)],
                by: PostfixElement.and
            )
        }
        return Self.join(ranges, by: PostfixElement.or)
    }

    private func containment(of element: PredicateOperand, in collection: PredicateOperand) -> [PostfixElement] {
        switch (element, collection) {
        case (.nothing, _), (_, .nothing): [.constant(false)]
        case (_, .aggregate(let elements)):
            Self.join(
                elements.map { Self.equality(element, $0, options: [], location: location) },
                by: PostfixElement.or
            )
        case (_, .number): [error(left, right, accepted: "a string or an aggregate to search in")]
        default: stringTest(collection, .relation(.contains), right: element)
        }
    }

    private func stringTest(
        _ left: PredicateOperand,
        _ operation: StringTest.Operation,
        right: PredicateOperand
    ) -> [PostfixElement] {
        if left == .nothing || right == .nothing { return [.constant(false)] }
        guard let leftString = left.stringOperand, let rightString = right.stringOperand else {
            return [error(left, right, accepted: "strings on both sides")]
        }
        return Self.stringElements(leftString, operation, right: rightString, options: options, location: location)
    }

    private func error(_ left: PredicateOperand, _ right: PredicateOperand, accepted: String) -> PostfixElement {
        let message = """
            found \(left.kind) and \(right.kind) as operands of \(comparisonOperator.rawValue), which needs \(accepted)
            """
        return .error(ContentPredicateError(code: .evaluation, message: message, offset: location.offset))
    }

    /// Joins operands with `AND` or `OR`; without any operands, `AND` is true and `OR` is false.
    private static func join(
        _ operands: [[PostfixElement]],
        by connective: (Int) -> PostfixElement
    ) -> [PostfixElement] {
        switch (operands.count, connective(0)) {
        case (0, .and): [.constant(true)]
        case (0, _): [.constant(false)]
        case (1, _): operands[0]
        default: operands.flatMap(\.self) + [connective(operands.count)]
        }
    }

    private static func stringElements(
        _ left: StringTest.Operand,
        _ operation: StringTest.Operation,
        right: StringTest.Operand,
        options: ContentPredicate.Options,
        location: Location
    ) -> [PostfixElement] {
        switch (left, operation, right) {
        case (.subject, .equals, .literal(let literal)), (.literal(let literal), .equals, .subject):
            return [.isString(literal.string)]
        default:
            do {
                return [.test(try StringTest(left, operation, right: right, options: options, offset: location.offset))]
            } catch {
                return [.error(error)]
            }
        }
    }
}

extension PredicateOperand {
    /// The operand of a test, if the operand is a string.
    fileprivate var stringOperand: StringTest.Operand? {
        switch self {
        case .subject: .subject
        case .string(let string): .literal(StringLiteral(string.value))
        case .number, .nothing, .aggregate: nil
        }
    }
}
