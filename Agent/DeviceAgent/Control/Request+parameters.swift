internal import Foundation
internal import Hummingbird
internal import LocalService
internal import TextBasics
internal import WaypostSchema

extension Request {
    /// Decodes the body as a value of the schema.
    ///
    /// - Parameters:
    ///   - type: the value's type.
    ///   - maximumSize: the maximum size of the body in bytes.
    /// - Returns: the value.
    /// - Throws: `RequestError` that names the field or the byte.
    func decoded<Value: Decodable>(
        as type: Value.Type = Value.self,
        maximumSize: Int = JSONBody.maximumSize
    ) async throws -> Value {
        try await JSONBody.decode(type, from: self, maximumSize: maximumSize)
    }

    /// Decodes the body of a request that a person wrote, in which an unknown key is an error.
    ///
    /// - Parameters:
    ///   - type: the value's type.
    ///   - maximumSize: the maximum size of the body in bytes.
    /// - Returns: the value.
    /// - Throws: `RequestError` that names the field, the key or the byte.
    func strictlyDecoded<Value: Decodable>(
        as type: Value.Type = Value.self,
        maximumSize: Int = JSONBody.maximumSize
    ) async throws -> Value {
        try await JSONBody.decodeStrictly(type, from: self, maximumSize: maximumSize)
    }

    /// Returns the value of a required parameter of the query.
    func requiredParameter(_ name: String) throws(RequestError) -> String {
        guard let value = uri.queryParameters.get(name) else {
            throw .badParameter(name: name, "the parameter is missing: add ?\(name)=…, percent-encoded")
        }
        return value
    }

    /// Returns the value of a required parameter of the query that is one of a set of names.
    ///
    /// - Parameter parameter: the name of the parameter.
    /// - Returns: the value.
    /// - Throws: `RequestError.badParameter` that suggests a name, or has those accepted.
    func requiredName<Name: StringEnum>(_ parameter: String) throws(RequestError) -> Name {
        try Self.name(requiredParameter(parameter), parameter)
    }

    /// Returns the value of a parameter of the query that is one of a set of names, or `nil` if it is absent.
    ///
    /// - Parameter parameter: the name of the parameter.
    /// - Returns: the value.
    /// - Throws: `RequestError.badParameter` that suggests a name, or has those accepted.
    func name<Name: StringEnum>(_ parameter: String) throws(RequestError) -> Name? {
        guard let text = uri.queryParameters.get(parameter) else { return nil }
        return try Self.name(text, parameter)
    }

    private static func name<Name: StringEnum>(_ text: String, _ parameter: String) throws(RequestError) -> Name {
        if let name = Name(rawValue: text) { return name }
        let names = Name.allCases.map(\.rawValue)
        let hint =
            text.nearest(among: names).map { "did you mean '\($0)'?" } ?? "use one of \(names.joined(separator: ", "))"
        throw .badParameter(name: parameter, "'\(text)' is not accepted; \(hint)")
    }

    /// Returns a parameter of the query that is `true` or `false`, or `nil` if it is absent.
    func flag(_ name: String) throws(RequestError) -> Bool? {
        guard let value = uri.queryParameters.get(name) else { return nil }
        guard let isOn = Bool(value) else { throw .badParameter(name: name, "'\(value)' is neither true nor false") }
        return isOn
    }

    /// Returns the maximum number of elements in an answer (`?limit=`), or a default if it is absent.
    ///
    /// - Parameters:
    ///   - defaultValue: the default.
    ///   - maximum: the maximum; a greater number is refused.
    /// - Returns: the number.
    /// - Throws: `RequestError.badParameter` that has the accepted numbers.
    func limit(default defaultValue: Int = 20, maximum: Int = 1_000) throws(RequestError) -> Int {
        try number("limit", default: defaultValue, in: 0...maximum)
    }

    /// Returns a number of the query, or a default if it is absent.
    ///
    /// - Parameters:
    ///   - name: the name of the parameter.
    ///   - defaultValue: the default.
    ///   - range: the accepted numbers.
    /// - Returns: the number.
    /// - Throws: `RequestError.badParameter` that has the accepted numbers.
    func number(
        _ name: String,
        default defaultValue: Int,
        in range: ClosedRange<Int> = 0...1_000_000
    ) throws(RequestError) -> Int {
        guard let value = uri.queryParameters.get(name) else { return defaultValue }
        guard let number = Int(value), range.contains(number) else {
            throw .badParameter(
                name: name,
                "'\(value)' is not a number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }
}
