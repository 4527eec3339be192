internal import PredicateFormat
public import WaypostSchema

extension ActivationConditions {
    /// Returns the conditions as they are packaged when they are set: with their arguments in place of placeholders.
    ///
    /// Packaged conditions do not depend on the app. If a value of the app changes later, they keep the earlier one,
    /// until the app sets them again.
    ///
    /// - Parameter values: the values of the app, which an argument may name.
    /// - Returns: conditions without arguments, in canonical form if they had any.
    /// - Throws: `ConditionError` with the invalid condition.
    public func packaged(with values: [String: JSONValue] = [:]) throws(ConditionError) -> Self {
        var packaged = self
        if let canArguments {
            packaged.canActivateForTargetContentIdentifierPredicate = try Self.packagedFormat(
                canActivateForTargetContentIdentifierPredicate,
                canArguments,
                of: .can,
                values
            )
            packaged.canArguments = nil
        }
        if let prefersArguments {
            packaged.prefersToActivateForTargetContentIdentifierPredicate = try Self.packagedFormat(
                prefersToActivateForTargetContentIdentifierPredicate,
                prefersArguments,
                of: .prefers,
                values
            )
            packaged.prefersArguments = nil
        }
        return packaged
    }

    private static func packagedFormat(
        _ format: String,
        _ arguments: [JSONValue],
        of condition: ConditionError.Condition,
        _ values: [String: JSONValue]
    ) throws(ConditionError) -> String {
        do throws(ContentPredicateError) {
            var constants: [any PredicateArgument] = []
            for (index, argument) in arguments.enumerated() {
                constants.append(try PredicateValue.argument(argument, number: index + 1, among: values))
            }
            return try ContentPredicate(format: format, arguments: constants).description
        } catch {
            throw ConditionError(condition: condition, predicateError: error)
        }
    }
}

extension PredicateValue {
    /// Returns the constant for an argument, which is a JSON value or names a value of the app.
    fileprivate static func argument(
        _ argument: JSONValue,
        number: Int,
        among values: [String: JSONValue]
    ) throws(ContentPredicateError) -> Self {
        guard case .object(let members) = argument, members.count == 1, let name = members["value"]?.string else {
            return try constant(argument, number: number)
        }
        guard let value = values[name] else {
            let names = values.keys.sorted().joined(separator: ", ")
            let accepted = values.isEmpty ? "the app has no 'values'" : "its 'values' are \(names)"
            throw unusable("argument \(number) names the value '\(name)', which the app does not have; \(accepted)")
        }
        return try constant(value, number: number)
    }

    private static func constant(_ value: JSONValue, number: Int) throws(ContentPredicateError) -> Self {
        switch value {
        case .null: return .nothing
        case .bool(let isTrue): return isTrue.predicateValue
        case .integer(let integer): return .integer(Int64(integer))
        case .unsigned(let integer): return Int64(exactly: integer).map(Self.integer) ?? .real(Double(integer))
        case .double(let number): return .real(number)
        case .string(let string): return .string(string)
        case .array(let elements):
            var constants: [Self] = []
            for element in elements { constants.append(try constant(element, number: number)) }
            return .aggregate(constants)
        case .object:
            throw unusable(
                """
                argument \(number) is an object; a string, a number, a boolean, null, a list of them, and \
                {"value": NAME} with a value of the app are accepted
                """
            )
        }
    }

    private static func unusable(_ message: String) -> ContentPredicateError {
        ContentPredicateError(code: .syntax, message: message, offset: 0)
    }
}
