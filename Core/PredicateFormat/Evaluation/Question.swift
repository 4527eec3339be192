internal import WaypostSchema

/// A comparison when `SELF` is known to be a text, as a list in which every operand precedes its operator.
enum Question {
    case constant(Bool)

    /// Whether `SELF` has exactly the units of a text.
    case isText(String)

    case test(TextTest)

    /// A question that cannot be answered.
    case error(ContentPredicateError)

    case not
    case and(Int)
    case or(Int)
}

extension PredicateComparison {
    /// The questions about `SELF` that the comparison consists of.
    ///
    /// `nil` equals only itself, and every other comparison with it is false. A string and a number are unequal, and
    /// have no order. An aggregate contains a value if the value equals an element; options are ignored
    /// (`docs/predicates.md`).
    var questions: [Question] {
        switch operation {
        case .equals: Self.equality(left, right, options: options, place: place)
        case .notEquals: Self.equality(left, right, options: options, place: place) + [.not]
        case .lessThan: order(left, .isLess, right: right)
        case .lessThanOrEqual: order(left, .isLessOrSame, right: right)
        case .greaterThan: order(left, .isGreater, right: right)
        case .greaterThanOrEqual: order(left, .isGreaterOrSame, right: right)
        case .between: between()
        case .in: containment(of: left, in: right)
        case .contains: containment(of: right, in: left)
        case .beginsWith: text(left, .comparison(.beginsWith), right: right)
        case .endsWith: text(left, .comparison(.endsWith), right: right)
        case .like: text(left, .like, right: right)
        }
    }

    private static func equality(
        _ left: PredicateOperand,
        _ right: PredicateOperand,
        options: ContentPredicate.Options,
        place: Place
    ) -> [Question] {
        switch (left, right) {
        case (.nothing, .nothing): return [.constant(true)]
        case (.number(let left), .number(let right)): return [.constant(left == right)]
        case (.text(let left), .text(let right)) where !options.folds: return [.constant(left == right)]
        case (.aggregate(let left), .aggregate(let right)):
            guard left.count == right.count else { return [.constant(false)] }
            return join(zip(left, right).map { equality($0, $1, options: [], place: place) }, by: Question.and)
        default:
            guard let left = left.text, let right = right.text else { return [.constant(false)] }
            return question(
                left,
                options.folds ? .comparison(.isSame) : .equals,
                right: right,
                options: options,
                place: place
            )
        }
    }

    private func order(
        _ left: PredicateOperand,
        _ comparison: TextTest.Comparison,
        right: PredicateOperand
    ) -> [Question] {
        switch (left, right) {
        case (.nothing, .nothing): return [.constant(comparison == .isLessOrSame || comparison == .isGreaterOrSame)]
        case (.nothing, _), (_, .nothing): return [.constant(false)]
        case (.number(let left), .number(let right)): return [.constant(Self.isInOrder(left, comparison, right: right))]
        default:
            guard let leftText = left.text, let rightText = right.text else {
                return [error(left, right, accepted: "two strings or two numbers")]
            }
            return Self.question(leftText, .comparison(comparison), right: rightText, options: options, place: place)
        }
    }

    private static func isInOrder(
        _ left: PredicateNumber,
        _ comparison: TextTest.Comparison,
        right: PredicateNumber
    ) -> Bool {
        switch comparison {
        case .isLess: left < right
        case .isLessOrSame: left <= right
        case .isGreater: left > right
        default: left >= right
        }
    }

    /// Whether the left operand is within the bounds, which are included and may be in either order.
    private func between() -> [Question] {
        if left == .nothing || right == .nothing { return [.constant(false)] }
        guard case .aggregate(let bounds) = right, bounds.count == 2 else {
            return [error(left, right, accepted: "an aggregate of exactly two bounds on the right")]
        }
        let ranges = [(bounds[0], bounds[1]), (bounds[1], bounds[0])].map { lower, upper in
            Self.join(
                [order(left, .isGreaterOrSame, right: lower), order(left, .isLessOrSame, right: upper)],
                by: Question.and
            )
        }
        return Self.join(ranges, by: Question.or)
    }

    private func containment(of element: PredicateOperand, in collection: PredicateOperand) -> [Question] {
        switch (element, collection) {
        case (.nothing, _), (_, .nothing): [.constant(false)]
        case (_, .aggregate(let elements)):
            Self.join(elements.map { Self.equality(element, $0, options: [], place: place) }, by: Question.or)
        case (_, .number): [error(left, right, accepted: "a string or an aggregate to search in")]
        default: text(collection, .comparison(.contains), right: element)
        }
    }

    private func text(
        _ left: PredicateOperand,
        _ operation: TextTest.Operation,
        right: PredicateOperand
    ) -> [Question] {
        if left == .nothing || right == .nothing { return [.constant(false)] }
        guard let leftText = left.text, let rightText = right.text else {
            return [error(left, right, accepted: "strings on both sides")]
        }
        return Self.question(leftText, operation, right: rightText, options: options, place: place)
    }

    private func error(_ left: PredicateOperand, _ right: PredicateOperand, accepted: String) -> Question {
        let message =
            "found \(left.kind) and \(right.kind) as operands of \(operation.rawValue), which needs \(accepted)"
        return .error(ContentPredicateError(code: .evaluation, message: message, offset: place.offset))
    }

    /// Joins questions with `AND` or `OR`; without any questions, `AND` is true and `OR` is false.
    private static func join(_ questions: [[Question]], by joint: (Int) -> Question) -> [Question] {
        switch (questions.count, joint(0)) {
        case (0, .and): [.constant(true)]
        case (0, _): [.constant(false)]
        case (1, _): questions[0]
        default: questions.flatMap(\.self) + [joint(questions.count)]
        }
    }

    private static func question(
        _ left: TextTest.Operand,
        _ operation: TextTest.Operation,
        right: TextTest.Operand,
        options: ContentPredicate.Options,
        place: Place
    ) -> [Question] {
        switch (left, operation, right) {
        case (.subject, .equals, .literal(let literal)), (.literal(let literal), .equals, .subject):
            return [.isText(literal.text)]
        default:
            do {
                return [.test(try TextTest(left, operation, right: right, options: options, offset: place.offset))]
            } catch {
                return [.error(error)]
            }
        }
    }
}

extension PredicateOperand {
    /// The operand if it is a text.
    fileprivate var text: TextTest.Operand? {
        switch self {
        case .subject: .subject
        case .text(let text): .literal(TextLiteral(text.value))
        case .number, .nothing, .aggregate: nil
        }
    }
}
