/// One side of a comparison.
indirect enum PredicateOperand: Sendable, Hashable {
    /// A text that equals another only if both have the same UTF-16 code units, as in the platform's predicates.
    struct StringValue: Sendable, Hashable {
        var value: String

        // Two strings have the same UTF-16 exactly if they have the same UTF-8. Swift's own == treats canonical
        // equivalents as equal.
        static func == (left: Self, right: Self) -> Bool {
            left.value.utf8.elementsEqual(right.value.utf8)
        }

        func hash(into hasher: inout Hasher) {
            for unit in value.utf8 { hasher.combine(unit) }
        }
    }

    /// `SELF`, the value that the predicate is evaluated on; always a text.
    case subject
    case string(StringValue)
    case number(PredicateNumber)

    /// `NIL`.
    case nothing

    /// `{…}`.
    case aggregate([PredicateOperand])
}

extension PredicateOperand {
    /// The operand as `NSExpression` prints it.
    var canonicalText: String {
        switch self {
        case .subject: "SELF"
        case .string(let string): Self.quoted(string.value)
        case .number(let number): number.description
        case .nothing: "nil"
        case .aggregate(let elements): "{\(elements.map(\.canonicalText).joined(separator: ", "))}"
        }
    }

    /// The kind of operand, for a message.
    var kind: String {
        switch self {
        case .subject, .string: "a string"
        case .number(let number): "the number \(number)"
        case .nothing: "nil"
        case .aggregate(let elements): "an aggregate of \(elements.count)"
        }
    }

    private static func quoted(_ literal: String) -> String {
        let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        var text = [quote]
        for byte in literal.utf8 {
            if byte == quote || byte == backslash { text.append(backslash) }
            text.append(byte)
        }
        text.append(quote)
        return String(decoding: text, as: UTF8.self)
    }
}
