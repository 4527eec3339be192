import Testing
import WaypostSchema

/// What an event of an attribution view does not say is said elsewhere.
@Suite struct AttributionEventTests {
    @Test(
        arguments: [
            ("", nil), (#","displayContext":null"#, nil), (#","displayContext":"summary""#, .summary),
            (#","displayContext":"detail""#, .detail),
        ] as [(String, DisplayContext?)]
    )
    func contextOfAViewInAWindowIsLeftToTheRequest(_ field: String, _ context: DisplayContext?) throws {
        let event = try DeviceEvent(json: #"{"type":"attributionAttached","app":"a","view":"v","url":"u"\#(field)}"#)
        #expect(event == .attributionAttached("a", "v", url: "u", context))
    }

    @Test(arguments: ["", #","url":null"#])
    func highlightOfAViewInAWindowIsLeftToTheRequest(_ field: String) throws {
        let event = try DeviceEvent(json: #"{"type":"attributionAttached","app":"a","view":"v"\#(field)}"#)
        #expect(event == .attributionAttached("a", "v", url: nil, nil))
    }

    @Test(arguments: ["", #","preferences":null"#, #","preferences":{}"#])
    func requestHasThePreferencesOfThePlatform(_ field: String) throws {
        let event = try DeviceEvent(json: #"{"type":"attributionRequested","app":"a","view":"v","url":"u"\#(field)}"#)
        #expect(event == .attributionRequested("a", "v", url: "u", AttributionPreferences()))
    }

    @Test(arguments: ["", #","scene":null"#])
    func personIsInTheSceneInFront(_ field: String) throws {
        let tap = try DeviceEvent(json: #"{"type":"attributionTapped","app":"a","view":"v"\#(field)}"#)
        #expect(tap == .attributionTapped("a", "v", nil))
        let choice = try DeviceEvent(json: #"{"type":"menuItemChosen","app":"a","view":"v","item":"i"\#(field)}"#)
        #expect(choice == .menuItemChosen("a", "v", "i", nil))
    }

    /// What is absent of a view in a window is not always the same, so that a program cannot fill it in.
    @Test func schemaSaysNoContextOfAViewInAWindow() throws {
        let shapes = try #require(try Schema.current().definitions["DeviceEvent"]?["oneOf"]).elements
        let defaults = shapes.flatMap { ($0["properties"]?.members ?? [:]).values.compactMap { $0["default"] } }
        #expect(defaults.isEmpty)
    }
}
