import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport
import WireTypes

/// A line of `Tests/Vectors/v1`: a value that an earlier version may have written, and that must stay readable.
struct Vector: CustomTestStringConvertible {
    static let folder = Repository.vectors.appending(path: "v1")

    let type: WireType

    /// The number of the line among the lines that are not blank, from 1.
    let line: Int
    let text: String

    var testDescription: String { "\(type.name), line \(line)" }

    static func all() throws -> [Vector] {
        try WireType.all.flatMap(all(of:))
    }

    static func all(of type: WireType) throws -> [Vector] {
        try Repository.lines(of: folder.appending(path: "\(type.name).jsonl"))
            .enumerated()
            .map { Vector(type: type, line: $0.offset + 1, text: $0.element) }
    }

    func decoded() throws -> any WireType.Value {
        try type.decode(text)
    }

    func tree() throws -> JSONValue {
        try JSONValue(json: text)
    }
}
