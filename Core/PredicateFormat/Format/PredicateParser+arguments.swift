internal import WaypostSchema

extension PredicateParser {
    /// Replaces `placeholder`, the current token, with the next argument.
    mutating func readArgument(for placeholder: PredicatePlaceholder) throws(ContentPredicateError) -> PredicateOperand
    {
        let offset = current.offset
        try advance()
        guard let argument = arguments.popFirst() else {
            recordForbidden(.placeholderWithoutArgument(placeholder.spelling), at: offset)
            return .nothing
        }
        readArgumentCount += 1
        switch (placeholder.conversion, argument) {
        case (.value, _):
            return try operand(argument, at: offset, nesting: 0)
        case (.keyPath, .string(let path)):
            if path.uppercased() == "SELF" { return .subject }
            recordForbidden(.keyPath(path), at: offset)
            return .subject
        case (.integer, .integer), (.real, .integer), (.real, .real), (.string, .string):
            return try operand(argument, at: offset, nesting: 0)
        default:
            let message = "'\(placeholder.spelling)' does not accept argument \(readArgumentCount), \(argument.kind)"
            throw ContentPredicateError(code: .syntax, message: message, offset: offset)
        }
    }

    /// Checks that no argument remains at the end of the format, which is the current token.
    func checkArguments() throws(ContentPredicateError) {
        guard let unusedArgument = arguments.first else { return }
        let message = """
            argument \(readArgumentCount + 1), \(unusedArgument.kind), has no placeholder in the format; \
            inside quotation marks, %@ and other placeholders are plain text
            """
        throw ContentPredicateError(code: .syntax, message: message, offset: current.offset)
    }

    private func operand(
        _ argument: PredicateValue,
        at offset: Int,
        nesting: Int
    ) throws(ContentPredicateError) -> PredicateOperand {
        guard nesting <= Self.maximumNesting else { throw Self.tooDeepError(at: offset) }
        switch argument {
        case .string(let string): return .string(PredicateOperand.StringValue(value: string))
        case .integer(let value): return .number(.integer(value))
        case .real(let value) where value.isFinite: return .number(PredicateNumber(value))
        case .real(let value):
            let message =
                "argument \(readArgumentCount) is \(value), which a format cannot express; a finite number is accepted"
            throw ContentPredicateError(code: .syntax, message: message, offset: offset)
        case .nothing: return .nothing
        case .aggregate(let elements):
            return .aggregate(
                try elements.map { (element) throws(ContentPredicateError) in
                    try operand(element, at: offset, nesting: nesting + 1)
                }
            )
        }
    }
}

extension PredicateValue {
    /// The kind of value, for a message.
    fileprivate var kind: String {
        switch self {
        case .string: "a string"
        case .integer: "a whole number"
        case .real: "a number"
        case .aggregate: "an aggregate"
        case .nothing: "nil"
        }
    }
}
