internal import WaypostSchema

extension PredicateTree {
    /// The program that evaluates the tree.
    ///
    /// - Complexity: O(n) for a predicate of n nodes and constants, plus the preparation of their texts.
    var program: PredicateProgram {
        var compiler = PredicateCompiler()
        for (index, node) in nodes.enumerated().reversed() {
            compiler.nodeIndex = Int32(index)
            switch node {
            case .constant(let value): compiler.write(.constant(value))
            case .comparison(let comparison):
                for element in comparison.postfixElements.reversed() { compiler.write(element) }
            case .not: compiler.write(.not)
            case .and(let count): compiler.write(.and(count))
            case .or(let count): compiler.write(.or(count))
            }
        }
        return compiler.program
    }
}

/// Compiles a predicate from its last step to its first.
///
/// Operands are stored before their operators. From last to first, the compiler therefore writes the target of every
/// step before the step itself.
private struct PredicateCompiler {
    /// The steps to which the answers of a question lead.
    private struct Exits {
        var whenTrue: Int32
        var whenFalse: Int32
    }

    /// An operator with operands that are not yet written.
    private struct PendingOperator {
        var operation: PostfixElement
        var remainingOperands: Int
        var exits: Exits

        /// The first step of the operand that was written last; `nil` before the first is written.
        ///
        /// In the program, it follows the operand that is written next.
        var followingStep: Int32?

        /// The steps to which the answers of the operand that is written next lead.
        var operandExits: Exits {
            switch operation {
            case .not: Exits(whenTrue: exits.whenFalse, whenFalse: exits.whenTrue)
            case .and: Exits(whenTrue: followingStep ?? exits.whenTrue, whenFalse: exits.whenFalse)
            default: Exits(whenTrue: exits.whenTrue, whenFalse: followingStep ?? exits.whenFalse)
            }
        }
    }

    var nodeIndex: Int32 = 0
    private var steps: [PredicateProgram.Step] = []
    private var pendingOperators: [PendingOperator] = []
    private var literals: [UInt8] = []
    private var tables: [[(text: String, nodeIndex: Int32)]] = []
    private var tests: [StringTest] = []
    private var errors: [ContentPredicateError] = []

    var program: PredicateProgram {
        PredicateProgram(
            steps: steps,
            literals: literals,
            tables: tables.map { LiteralTable($0.reversed()) },
            tests: tests,
            errors: errors
        )
    }

    mutating func write(_ element: PostfixElement) {
        let finalExits = Exits(whenTrue: PredicateProgram.accept, whenFalse: PredicateProgram.reject)
        let exits = pendingOperators.last?.operandExits ?? finalExits
        var step = PredicateProgram.Step(
            kind: .constant,
            nodeIndex: nodeIndex,
            whenTrue: exits.whenTrue,
            whenFalse: exits.whenFalse
        )
        switch element {
        case .not:
            return pendingOperators.append(PendingOperator(operation: element, remainingOperands: 1, exits: exits))
        case .and(let count), .or(let count):
            return pendingOperators.append(PendingOperator(operation: element, remainingOperands: count, exits: exits))
        case .constant(let value): step.constantAnswer = value
        case .isString(let text):
            if addToTable(text, exits) { return finishOperand() }
            step.kind = .isString
            step.literalRange = storeLiteral(text)
        case .test(let test): prepare(&step, for: test)
        case .error(let error):
            step.kind = .error
            step.index = Int32(errors.count)
            errors.append(error)
        }
        steps.append(step)
        finishOperand()
    }

    /// Records with the pending operators that one of their operands is complete; its first step is the newest step.
    private mutating func finishOperand() {
        while var pendingOperator = pendingOperators.popLast() {
            pendingOperator.remainingOperands -= 1
            pendingOperator.followingStep = Int32(steps.count) - 1
            guard pendingOperator.remainingOperands == 0 else { return pendingOperators.append(pendingOperator) }
        }
    }

    private mutating func prepare(_ step: inout PredicateProgram.Step, for test: StringTest) {
        step.kind = .test
        step.index = Int32(tests.count)
        tests.append(test)
        guard case .subject = test.left, case .literal(let literal) = test.right, literal.isASCII,
            !literal.bytes.isEmpty, !test.options.foldsStrings
        else { return }
        if test.operation == .relation(.beginsWith) { step.kind = .beginsWith }
        if test.operation == .relation(.endsWith) { step.kind = .endsWith }
        if step.kind != .test { step.literalRange = storeLiteral(literal.string) }
    }

    private mutating func storeLiteral(_ string: String) -> Range<Int32> {
        let start = Int32(literals.count)
        literals += string.utf8
        return start..<Int32(literals.count)
    }

    /// Adds a string to a table of the alternatives of an `OR` that each compare `SELF` with one string.
    ///
    /// - Returns: whether `string` became part of the newest step. This requires that only the question itself leads to
    ///   that step, so both must be operands of the same `OR`.
    private mutating func addToTable(_ string: String, _ exits: Exits) -> Bool {
        let newestIndex = steps.count - 1
        guard let pendingOperator = pendingOperators.last, case .or = pendingOperator.operation,
            pendingOperator.followingStep == Int32(newestIndex), newestIndex >= 0,
            steps[newestIndex].whenTrue == exits.whenTrue
        else { return false }
        switch steps[newestIndex].kind {
        case .isString:
            let range = steps[newestIndex].literalRange
            let other = String(decoding: literals[Int(range.lowerBound)..<Int(range.upperBound)], as: UTF8.self)
            steps[newestIndex].kind = .isInTable
            steps[newestIndex].index = Int32(tables.count)
            tables.append([(other, steps[newestIndex].nodeIndex)])
        case .isInTable: break
        default: return false
        }
        tables[Int(steps[newestIndex].index)].append((string, nodeIndex))
        return true
    }
}
