import Foundation
import JSONScanning
import WaypostSchema
import WireTypes

extension FuzzTarget {
    /// The name of a type, a line feed, and a value as JSON.
    static let wireTypes = FuzzTarget(
        name: "wire-types",
        summary: "every type of the schema, as bodies and events have them; what was decoded is sent and decoded again"
    ) { bytes in
        let name = bytes.prefix { $0 != UInt8(ascii: "\n") }
        guard let wireType = wireTypesByName[String(decoding: name, as: UTF8.self)] else { return }
        WireValue.check(wireType.type, Array(bytes.dropFirst(name.count + 1)))
    }

    private static let wireTypesByName = Dictionary(uniqueKeysWithValues: WireType.all.map { ($0.name, $0) })
}

/// The promises of the values of a type.
private enum WireValue {
    static func check<Value: WireType.Value>(_ type: Value.Type, _ json: [UInt8]) {
        guard let root = try? DocumentDecoder.deepDocument(json).root else { return }
        let (result, unknownKeys) = DocumentDecoder.decodeFindingUnknownKeys(type, from: root)
        let strictValue = try? DocumentDecoder.decodeStrictly(type, from: root)
        for key in unknownKeys { promise(!key.sentence.isEmpty, "an unknown key is explained", found: key) }
        switch result {
        case .success(let value):
            let sameValue = try? DocumentDecoder.decode(type, fromDeepJSON: json)
            promise(sameValue == value, "a value has one meaning", found: value)
            promise(
                strictValue == (unknownKeys.isEmpty ? value : nil),
                "a strict decoder refuses only unknown keys",
                found: unknownKeys
            )
            // JSON may get deeper when it is written again.
            let bracketCount = json.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
            if bracketCount < 256 { checkStability(of: value) }
        case .failure(let error):
            promise(strictValue == nil, "a strict decoder accepts nothing else", found: error)
            promise(!DecodingError.sentence(of: error).isEmpty, "an error is a sentence", found: error)
        }
    }

    /// Checks that a value that was written and read is the same when it is written and read again.
    ///
    /// JSON has several spellings of a number; the first reading settles for one.
    private static func checkStability<Value: WireType.Value>(of value: Value) {
        guard let first = writtenAndRead(value) else {
            return promise(false, "a value that was decoded can be sent and decoded", found: value)
        }
        let second = writtenAndRead(first)
        promise(second == first, "a value is the same when it is sent and decoded", found: (first, second as Any))
    }

    private static func writtenAndRead<Value: WireType.Value>(_ value: Value) -> Value? {
        (try? JSONEncoder().encode(value)).flatMap { try? DocumentDecoder.decode(Value.self, fromDeepJSON: $0) }
    }
}
