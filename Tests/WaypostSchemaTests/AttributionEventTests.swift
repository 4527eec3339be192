import Testing
import WaypostSchema

/// The defaults of absent fields in events of attribution views.
@Suite struct AttributionEventTests {
    @Test(
        arguments: [
            ("", nil), (#","displayContext":null"#, nil), (#","displayContext":"summary""#, .summary),
            (#","displayContext":"detail""#, .detail),
        ] as [(String, DisplayContext?)]
    )
    func absentContextOfAnAttachedViewIsLeftToTheRequest(_ field: String, _ context: DisplayContext?) throws {
        let event = try DeviceEvent(json: #"{"type":"attributionAttached","app":"a","view":"v","url":"u"\#(field)}"#)
        #expect(event == .attribution(.attributionAttached("a", "v", url: "u", context)))
    }

    @Test(arguments: ["", #","url":null"#])
    func absentURLOfAnAttachedViewIsLeftToTheRequest(_ field: String) throws {
        let event = try DeviceEvent(json: #"{"type":"attributionAttached","app":"a","view":"v"\#(field)}"#)
        #expect(event == .attribution(.attributionAttached("a", "v", url: nil, nil)))
    }

    @Test(arguments: ["", #","preferences":null"#, #","preferences":{}"#])
    func absentPreferencesAreThePlatformsDefaults(_ field: String) throws {
        let event = try DeviceEvent(json: #"{"type":"attributionRequested","app":"a","view":"v","url":"u"\#(field)}"#)
        #expect(event == .attribution(.attributionRequested("a", "v", url: "u", AttributionPreferences())))
    }

    @Test(arguments: ["", #","scene":null"#])
    func absentSceneIsNil(_ field: String) throws {
        let tap = try DeviceEvent(json: #"{"type":"attributionTapped","app":"a","view":"v"\#(field)}"#)
        #expect(tap == .attribution(.attributionTapped("a", "v", nil)))
        let choice = try DeviceEvent(json: #"{"type":"menuItemChosen","app":"a","view":"v","item":"i"\#(field)}"#)
        #expect(choice == .attribution(.menuItemChosen("a", "v", "i", nil)))
    }

    /// The context that replaces an absent one depends on the request, so the schema must not state a default.
    @Test func schemaHasNoDefaultsForEvents() throws {
        let shapes = try #require(try Schema.current().definitions["DeviceEvent"]?["oneOf"]).elements
        let defaults = shapes.flatMap { ($0["properties"]?.members ?? [:]).values.compactMap { $0["default"] } }
        #expect(defaults.isEmpty)
    }
}
