import PredicateFormat
import WaypostTestSupport

/// A random comparison.
struct GeneratedComparison {
    enum Operation: String, CaseIterable {
        case equals = "=="
        case notEquals = "!="
        case lessThan = "<"
        case lessThanOrEqual = "<="
        case greaterThan = ">"
        case greaterThanOrEqual = ">="
        case between = "BETWEEN"
        case `in` = "IN"
        case contains = "CONTAINS"
        case beginsWith = "BEGINSWITH"
        case endsWith = "ENDSWITH"
        case like = "LIKE"
    }

    var left: GeneratedOperand
    var operation: Operation
    var options: ContentPredicate.Options
    var right: GeneratedOperand
}

extension GeneratedComparison {
    /// Returns a random comparison; most have operands that suit the operator.
    static func random(using generator: inout SeededGenerator) -> GeneratedComparison {
        let operation = Operation.allCases.randomElement(using: &generator) ?? .equals
        var comparison = GeneratedComparison(
            left: .random(depth: 1, using: &generator),
            operation: operation,
            options: operation == .between ? [] : randomOptions(using: &generator),
            right: .random(depth: 2, using: &generator)
        )
        guard Int.random(in: 0..<4, using: &generator) > 0 else { return comparison }
        comparison.left = .subject
        switch operation {
        case .between:
            let bounds = (0..<2).map { _ in GeneratedOperand.randomText(using: &generator) }
            comparison.right = .aggregate(bounds)
        case .in: comparison.right = .aggregate((0..<3).map { _ in .randomText(using: &generator) })
        default:
            comparison.right = .randomText(using: &generator)
            if Int.random(in: 0..<5, using: &generator) == 0 {
                (comparison.left, comparison.right) = (comparison.right, comparison.left)
            }
        }
        return comparison
    }

    /// Returns a random comparison of a kind that an evaluation can often look up together with others.
    static func randomAlternative(using generator: inout SeededGenerator) -> GeneratedComparison {
        let text = GeneratedOperand.randomName(using: &generator)
        func comparison(
            _ left: GeneratedOperand,
            _ operation: Operation,
            _ right: GeneratedOperand,
            _ options: ContentPredicate.Options = []
        ) -> GeneratedComparison {
            GeneratedComparison(left: left, operation: operation, options: options, right: right)
        }
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return comparison(.subject, .notEquals, text)
        case 1: return comparison(.subject, .equals, text, .caseInsensitive)
        case 2: return comparison(.subject, .beginsWith, text)
        case 3: return comparison(text, .equals, .subject)
        case 4: return comparison(.subject, .lessThan, .integer(5))
        case 5, 6:
            let count = Int.random(in: 0...4, using: &generator)
            return comparison(.subject, .in, .aggregate((0..<count).map { _ in .randomName(using: &generator) }))
        default: return comparison(.subject, .equals, text)
        }
    }

    private static func randomOptions(using generator: inout SeededGenerator) -> ContentPredicate.Options {
        guard Bool.random(using: &generator) else { return [] }
        return ContentPredicate.Options(rawValue: UInt8.random(in: 0..<8, using: &generator))
    }
}
