internal import Foundation
internal import Hummingbird
internal import LocalService
internal import WaypostSchema

extension Request {
    /// Reads the body as a value of the schema.
    ///
    /// - Parameter type: the value's type.
    /// - Returns: the value.
    /// - Throws: `RequestError` naming the field or the byte.
    func decoded<Value: Decodable>(as type: Value.Type = Value.self) async throws -> Value {
        try await JSONBody.decode(type, from: self)
    }

    /// The text of a parameter of the query that is needed.
    func needed(_ name: String) throws(RequestError) -> String {
        guard let text = uri.queryParameters.get(name) else {
            throw .badParameter(name: name, "the parameter is missing: ?\(name)=…, with its escapes")
        }
        return text
    }

    /// The greatest number that a query may have.
    private static let greatestNumber = 1_000_000

    /// A number of the query, from 0 to a million.
    func number(_ name: String, standard: Int) throws(RequestError) -> Int {
        guard let text = uri.queryParameters.get(name) else { return standard }
        guard let number = Int(text), (0...Self.greatestNumber).contains(number) else {
            throw .badParameter(name: name, "'\(text)' is no number from 0 to \(Self.greatestNumber)")
        }
        return number
    }
}

extension BasicRequestContext {
    /// A part of the path, its percent encoding undone.
    func part(_ name: String) throws -> String {
        let text = try parameters.require(name)
        return text.removingPercentEncoding ?? text
    }
}
