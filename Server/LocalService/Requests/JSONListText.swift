internal import Foundation
package import NIOCore

/// The JSON text of a value with a long list, which is made piece by piece.
package struct JSONListText<Element: Encodable & Sendable>: Sendable {
    /// The maximum number of elements in a piece.
    package static var maximumPieceCount: Int { 256 }

    private let elements: [Element]

    /// The text before the elements, with the opening bracket.
    private let start: Data

    /// The text after the elements, from the closing bracket on.
    private let end: Data

    /// The number of elements in the pieces that were made.
    private var position = 0
    private var isComplete = false

    /// Creates the text of a value.
    ///
    /// - Parameters:
    ///   - value: the value, with an empty list.
    ///   - key: the key of the list, which no other list of the value has.
    ///   - elements: the elements of the list.
    /// - Throws: `EncodingError`.
    package init(_ value: some Encodable, list key: String, of elements: [Element]) throws {
        let text = try JSONText.data(value)
        guard let place = text.range(of: Data("\"\(key)\":[]".utf8)) else {
            let context = EncodingError.Context(codingPath: [], debugDescription: "there is no empty list '\(key)'")
            throw EncodingError.invalidValue(value, context)
        }
        let bracket = place.upperBound - 1
        self.elements = elements
        start = text[..<bracket]
        // The line feed at the end is for users who view the response in a terminal.
        end = text[bracket...] + [0x0A]
    }

    /// Whether the whole text is one piece.
    package var isShort: Bool {
        elements.count <= Self.maximumPieceCount
    }

    /// Returns the next piece, or `nil` after the last one.
    package mutating func next() throws -> ByteBuffer? {
        guard !isComplete else { return nil }
        let part = Array(elements.dropFirst(position).prefix(Self.maximumPieceCount))
        var piece = ByteBuffer()
        if position == 0 { piece.writeBytes(start) } else { piece.writeString(",") }
        // The text of a list has brackets of its own.
        if !part.isEmpty { piece.writeBytes(try JSONText.data(part).dropFirst().dropLast()) }
        position += part.count
        if position == elements.count {
            piece.writeBytes(end)
            isComplete = true
        }
        return piece
    }
}
