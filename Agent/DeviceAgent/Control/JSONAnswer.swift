internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import WaypostSchema

/// Answers in JSON.
enum JSONAnswer {
    /// Returns an answer whose body is a value.
    static func make(_ body: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let headers: HTTPFields = [.contentType: "application/json"]
        let text = try text(body) + "\n"
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    /// An answer without a body.
    static var none: Response {
        Response(status: .noContent)
    }

    /// Returns a value on one line.
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

extension Request {
    /// The most bytes of a body: an association file and what is around it.
    private static let longestBody = 1 << 20

    /// Reads the body as a value of the schema.
    ///
    /// - Parameters:
    ///   - what: what the body has to be, for a person.
    ///   - type: the value's type.
    /// - Returns: the value.
    /// - Throws: `AgentFault.malformedBody` naming the field, `AgentFault.bodyTooLarge`.
    func decoded<Value: Decodable>(_ what: String, as type: Value.Type = Value.self) async throws -> Value {
        let body: ByteBuffer
        do {
            body = try await self.body.collect(upTo: Self.longestBody)
        } catch is NIOTooManyBytesError {
            throw AgentFault.bodyTooLarge(limit: Self.longestBody)
        }
        do {
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch let error as DecodingError {
            throw AgentFault.malformedBody("the body is no \(what): \(error.sentence)")
        }
    }

    /// The text of a parameter of the query that is needed.
    func needed(_ name: String) throws(AgentFault) -> String {
        guard let text = uri.queryParameters.get(name) else { throw .missingParameter(name) }
        return text
    }

    /// The greatest number that a query may have.
    private static let greatestNumber = 1_000_000

    /// A number of the query, from 0 to a million.
    func number(_ name: String, standard: Int) throws(AgentFault) -> Int {
        guard let text = uri.queryParameters.get(name) else { return standard }
        guard let number = Int(text), (0...Self.greatestNumber).contains(number) else {
            throw .badParameter(name, "'\(text)' is no number from 0 to \(Self.greatestNumber)")
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
