import Foundation
import JSONScanning
import WaypostSchema

extension FuzzTarget {
    /// A JSON document, and a string to write as JSON.
    static let json = FuzzTarget(
        name: "json",
        summary: "JSON documents; accepted and refused as by Foundation, with the same values"
    ) { input in
        JSONPromises(Array(input)).check()
        let string = String(decoding: input, as: UTF8.self)
        for written in [string.quotedJSON, string.printableJSON] {
            let value = (try? JSONDocument(Array(written.utf8)))?.root.value
            guard case .string(let read)? = value else {
                return promise(false, "a string can be written as JSON and read again", found: written)
            }
            promise(read.utf8.elementsEqual(string.utf8), "a string is the same when it is read again", found: written)
        }
    }
}

/// The guarantees of the scanner of JSON for any bytes.
private struct JSONPromises {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Ends the program if a guarantee is violated.
    func check() {
        do throws(JSONError) {
            let document = try JSONDocument(bytes)
            promise(JSONError.first(in: bytes) == nil, "a document that can be parsed has no error")
            checkDecoding(of: document)
            checkFoundationReads(document)
        } catch {
            promise(JSONError.first(in: bytes) == error, "the parser and the scanner find the same error", found: error)
            promise(0...bytes.count ~= error.offset, "an error is in the document", found: error)
            promise(!"\(error)\(error.place(in: bytes))".isEmpty, "an error can be described")
            checkFoundationRefuses(error)
        }
    }

    private func checkDecoding(of document: JSONDocument) {
        let value = try? DocumentDecoder.decode(JSONValue.self, from: document.root)
        let deepValue = try? DocumentDecoder.decode(JSONValue.self, fromDeepJSON: bytes)
        promise(value == deepValue, "the maximum depth does not change a value", found: value as Any)
    }

    private func checkFoundationReads(_ document: JSONDocument) {
        do {
            let object = try JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
            // Foundation drops a byte order mark at the start of a string.
            guard !hasByteOrderMark else { return }
            promise(document.root.isEqual(to: object), "Foundation reads the same value", found: object)
        } catch {
            promise(false, "Foundation accepts the document", found: error)
        }
    }

    /// Foundation accepts a comma before a closing bracket, numbers that no double represents, deeper documents, and
    /// other encodings than UTF-8, which a byte order mark or a zero byte reveals.
    private func checkFoundationRefuses(_ error: JSONError) {
        switch error.problem {
        case .trailingComma, .numberOutOfRange, .tooDeep: return
        default: break
        }
        guard !hasByteOrderMark, !bytes.prefix(4).contains(0), bytes.first != 0xFE, bytes.first != 0xFF else { return }
        let object = try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
        promise(object == nil, "Foundation refuses the document, too", found: error)
    }

    private var hasByteOrderMark: Bool {
        bytes.indices.contains { bytes[$0...].starts(with: [0xEF, 0xBB, 0xBF]) }
    }
}

extension JSONNode {
    /// Returns whether Foundation has read the same value.
    fileprivate func isEqual(to object: Any) -> Bool {
        switch value {
        case .null: return object is NSNull
        case .bool(let bool): return (object as? NSNumber)?.boolValue == bool
        case .string(let string): return (object as? String)?.utf8.elementsEqual(string.utf8) == true
        case .number(let text): return Self.isNumber(object, text)
        case .array(let elements):
            guard let objects = object as? [Any], objects.count == elements.count else { return false }
            return zip(elements, objects).allSatisfy { $0.isEqual(to: $1) }
        case .object(let members):
            guard let objects = object as? [String: Any] else { return false }
            // Foundation has one member of each name, and equivalent names are the same for it.
            guard Set(members.map(\.name)).count == members.count else { return true }
            return objects.count == members.count
                && members.allSatisfy { member in objects[member.name].map { member.value.isEqual(to: $0) } == true }
        }
    }

    /// Returns whether a number is the one that a text spells; Foundation has more digits than a double has.
    private static func isNumber(_ object: Any, _ text: String) -> Bool {
        guard let number = object as? NSNumber else { return false }
        guard text.utf8.count(where: { 0x30...0x39 ~= $0 }) <= 15 else { return true }
        return number.doubleValue == Double(text)
    }
}
