internal import WaypostSchema

/// A compiled predicate: steps that each answer one question and name the next step for each answer.
///
/// `AND`, `OR` and `NOT` are not steps; they only determine the next step. The last evaluated step decides the result.
/// This is a class so that an evaluation copies nothing.
final class PredicateProgram: Sendable {
    struct Step: Sendable {
        enum Kind: Sendable {
            case constant

            /// Whether `SELF` equals, begins with or ends with the text in `literals`; for the last two, that text is
            /// ASCII.
            case isString
            case beginsWith
            case endsWith

            /// Whether `SELF` is in a table or passes a test; `error` is a step that cannot be answered.
            case isInTable
            case test
            case error
        }

        var kind: Kind

        /// The answer of a constant.
        var constantAnswer = false

        /// The range of the text in `literals`.
        var literalRange: Range<Int32> = 0..<0

        /// The index of the table, test or error.
        var index: Int32 = 0

        /// The index of the node that the step was compiled from.
        var nodeIndex: Int32

        /// The next step for each answer.
        var whenTrue: Int32
        var whenFalse: Int32
    }

    /// The step numbers that end the evaluation.
    static let accept: Int32 = -1
    static let reject: Int32 = -2

    /// The result of a predicate, and the node that decided it.
    struct Outcome: Sendable {
        enum Answer: Sendable {
            case yes
            case no

            /// There is no result, because the step cannot be answered.
            case error
        }

        var answer: Answer
        var nodeIndex: Int32

        /// The reason that there is no result.
        var error: ContentPredicateError?
    }

    private let steps: [Step]
    private let firstStep: Int32
    private let literals: [UInt8]
    private let tables: [LiteralTable]
    private let tests: [StringTest]
    private let errors: [ContentPredicateError]

    /// Whether a step needs to know if `SELF` is ASCII.
    private let needsASCII: Bool

    init(
        steps: [Step],
        literals: [UInt8],
        tables: [LiteralTable],
        tests: [StringTest],
        errors: [ContentPredicateError]
    ) {
        self.steps = steps
        firstStep = Int32(steps.count) - 1
        self.literals = literals
        self.tables = tables
        self.tests = tests
        self.errors = errors
        needsASCII = !tests.isEmpty
    }

    /// Evaluates the predicate on `value`, within the given search budget.
    func run(on value: String, budget: SearchBudget = SearchBudget()) -> Outcome {
        var contiguous = value
        return contiguous.withUTF8 { bytes in
            let subject = StringView(bytes: bytes, isASCII: needsASCII && bytes.isASCII)
            return steps.withUnsafeBufferPointer { steps in
                literals.withUnsafeBufferPointer { execute(steps, $0, subject: subject, budget: budget) }
            }
        }
    }

    private func execute(
        _ steps: UnsafeBufferPointer<Step>,
        _ literals: UnsafeBufferPointer<UInt8>,
        subject: StringView,
        budget: SearchBudget
    ) -> Outcome {
        var (next, nodeIndex, budget) = (firstStep, Int32(0), budget)
        while next >= 0 {
            let step = steps[Int(next)]
            nodeIndex = step.nodeIndex
            let answer: Bool
            switch step.kind {
            case .constant: answer = step.constantAnswer
            case .isString: answer = Self.isEqual(subject.bytes, literals, range: step.literalRange)
            case .beginsWith where subject.isASCII:
                let count = min(step.literalRange.count, subject.bytes.count)
                answer = Self.isEqual(
                    UnsafeBufferPointer(rebasing: subject.bytes[..<count]),
                    literals,
                    range: step.literalRange
                )
            case .endsWith where subject.isASCII:
                let start = max(0, subject.bytes.count - step.literalRange.count)
                answer = Self.isEqual(
                    UnsafeBufferPointer(rebasing: subject.bytes[start...]),
                    literals,
                    range: step.literalRange
                )
            case .isInTable:
                let tableNodeIndex = tables[Int(step.index)].nodeIndex(of: subject.bytes)
                nodeIndex = tableNodeIndex ?? nodeIndex
                answer = tableNodeIndex != nil
            case .error: return Outcome(answer: .error, nodeIndex: nodeIndex, error: errors[Int(step.index)])
            case .test, .beginsWith, .endsWith:
                do throws(ContentPredicateError) {
                    answer = try tests[Int(step.index)].holds(for: subject, budget: &budget)
                } catch {
                    return Outcome(answer: .error, nodeIndex: nodeIndex, error: error)
                }
            }
            next = answer ? step.whenTrue : step.whenFalse
        }
        return Outcome(answer: next == Self.accept ? .yes : .no, nodeIndex: nodeIndex, error: nil)
    }

    private static func isEqual(
        _ text: UnsafeBufferPointer<UInt8>,
        _ literals: UnsafeBufferPointer<UInt8>,
        range: Range<Int32>
    ) -> Bool {
        let range = Int(range.lowerBound)..<Int(range.upperBound)
        return text.isEqual(to: UnsafeBufferPointer(rebasing: literals[range]))
    }
}
