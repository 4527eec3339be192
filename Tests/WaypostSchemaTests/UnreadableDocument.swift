import Testing
import WaypostSchema

/// A document that is not a value of a type, and the expected sentence about it.
struct UnreadableDocument: CustomTestStringConvertible {
    let type: any (Decodable & Sendable).Type
    let text: String
    let sentence: String

    var testDescription: String { "\(type) \(text)" }

    init(_ type: any (Decodable & Sendable).Type, _ text: String, _ sentence: String) {
        self.type = type
        self.text = text
        self.sentence = sentence
    }

    /// Returns a device with one app, whose second scene is `scene`.
    static func scene(_ scene: String, _ sentence: String) -> Self {
        let scenes = #"[{"persistentIdentifier":"main"},\#(scene)]"#
        let text = #"{"name":"iPad","apps":[{"bundleIdentifier":"a","scenes":\#(scenes)}]}"#
        return Self(DeviceDescription.self, text, sentence)
    }

    /// Returns the sentence of the actual error.
    func observedSentence() throws -> String {
        try #require(throws: DecodingError.self) { _ = try type.init(json: text) }.sentence
    }
}
