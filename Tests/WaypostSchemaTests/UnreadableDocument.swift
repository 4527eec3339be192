import Testing
import WaypostSchema

/// A document that is no value of a type, and what is to be said about it.
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

    /// A device with one app, whose second scene is `scene`.
    static func scene(_ scene: String, _ sentence: String) -> Self {
        let scenes = #"[{"persistentIdentifier":"main"},\#(scene)]"#
        let text = #"{"name":"iPad","apps":[{"bundleIdentifier":"a","scenes":\#(scenes)}]}"#
        return Self(DeviceDescription.self, text, sentence)
    }

    /// What our code says about it.
    func observedSentence() throws -> String {
        try #require(throws: DecodingError.self) { _ = try type.init(json: text) }.sentence
    }
}
