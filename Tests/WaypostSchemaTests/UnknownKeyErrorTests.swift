import JSONScanning
import Testing
import WaypostSchema
import WireTypes

/// The sentence about a key that nothing reads, and the values in which there is none.
@Suite struct UnknownKeyErrorTests {
    @Test(
        arguments: [
            (#"{"type":"focusSet","fokus":{"name":"Work"}}"#, "unknown key 'fokus'; did you mean 'focus'?"),
            (#"{"type":"lockSet","isOnn":true}"#, "unknown key 'isOnn'; did you mean 'isOn'?"),
            (#"{"type":"lockSet","isOn":true,"app":"a"}"#, "unknown key 'app'; keys here: isOn, type"),
            (
                #"{"type":"focusSet","focus":{"name":"Work","alowedApps":[]}}"#,
                "unknown key 'alowedApps' in 'focus'; did you mean 'allowedApps'?"
            ),
        ]
    )
    func personIsToldTheKeyThatWasMeant(_ text: String, _ sentence: String) {
        let error = #expect(throws: UnknownKeyError.self) { try Self.event(text) }
        #expect(error?.sentence == sentence)
    }

    @Test(arguments: ["{}", #"{"type":"lockSet"}"#, #"{"type":"lockSet","isOn":5}"#, #"{"type":"focusset"}"#])
    func otherMistakesAreToldAsBefore(_ text: String) {
        #expect(throws: DecodingError.self) { try Self.event(text) }
    }

    /// A type that reads a key only sometimes would make a right key unknown.
    @Test(arguments: WireType.all) func typeReadsAllOfItsKeys(_ type: WireType) throws {
        for vector in try Vector.all(of: type) {
            let document = try DocumentDecoder.deepDocument(vector.text.utf8)
            let names = Self.unknownNames(in: document.root, as: type.type)
            #expect(names.allSatisfy { $0.hasPrefix("future") }, "\(vector): \(names)")
        }
    }

    private static func event(_ text: String) throws -> DeviceEvent {
        try DocumentDecoder.decodeStrictly(DeviceEvent.self, from: try JSONDocument(Array(text.utf8)).root)
    }

    private static func unknownNames<Value: Decodable>(in node: JSONNode, as type: Value.Type) -> [String] {
        DocumentDecoder.decodeFindingUnknownKeys(type, from: node).unknownKeys.map(\.name)
    }
}
