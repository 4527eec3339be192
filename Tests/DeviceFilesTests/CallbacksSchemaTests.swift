import DeviceFiles
import Foundation
import JSONScanning
import SceneCallbacks
import SchemaFiles
import Testing
import WaypostSchema
import WaypostTestSupport

/// The object `callbacks` of app files: its schema, and what is refused.
@Suite struct CallbacksSchemaTests {
    /// The enumerations of the schema, with the values that the types accept.
    static let enumerations: [(String, [String])] = [
        ("LifeCycle", names(of: LifeCycle.self)), ("AppDelegateMethod", names(of: AppDelegateMethod.self)),
        ("SceneDelegateMethod", names(of: SceneDelegateMethod.self)),
        ("CenterDelegateMethod", names(of: CenterDelegateMethod.self)),
        ("ViewMethod", names(of: ViewMethod.self)), ("AppIntentMethod", names(of: AppIntentMethod.self)),
        ("DelegateSetting", names(of: DelegateSetting.self)), ("StartOption", names(of: StartOption.self)),
        ("Practice", names(of: Practice.self)),
    ]

    private static func names<Value: StringEnum>(of type: Value.Type) -> [String] {
        Value.allCases.map(\.rawValue)
    }

    private static func file(_ callbacks: String) throws -> AppFile {
        let folder = try ScratchFolder()
        let text = "bundleIdentifier: a.b\nscenes: []\n" + callbacks
        return try AppFile(try folder.write(text.utf8, to: "app.yaml"), .app())
    }

    @Test(arguments: enumerations) func schemaHasTheValuesOfTheType(_ name: String, _ values: [String]) throws {
        let definition = try FileSchema.app()[name]
        #expect(definition["enum"]?.elements.compactMap(\.string) == values)
        let description = try #require(definition["description"]?.string)
        for value in values { #expect(description.contains(" \(value): "), "\(value)") }
    }

    @Test(arguments: Callback.all) func schemaNamesTheMethodAsAppleDoes(_ callback: Callback) throws {
        let (definition, name) = Self.place(of: callback)
        let schema = try FileSchema.app()
        let description = try #require(schema[definition]["description"]?.string)
        #expect(description.contains(" \(name): \(callback.signature)"))
    }

    /// Returns the enumeration that has a method, and its name there.
    private static func place(of callback: Callback) -> (definition: String, name: String) {
        switch callback {
        case .app(let method): ("AppDelegateMethod", method.rawValue)
        case .scene(let method): ("SceneDelegateMethod", method.rawValue)
        case .center(let method): ("CenterDelegateMethod", method.rawValue)
        case .view(let method): ("ViewMethod", method.rawValue)
        case .intent(let method): ("AppIntentMethod", method.rawValue)
        }
    }

    @Test func schemaHasTheKeysOfTheType() throws {
        let app = AppImplementation(
            lifeCycle: .uiScene,
            sdk: 27,
            supportsMultipleScenes: true,
            appDelegate: [],
            sceneDelegate: [],
            notificationCenter: CenterDelegate(methods: [], setIn: .later),
            views: [],
            appIntents: [],
            reads: [],
            deduplicates: [],
            practices: []
        )
        let value = try DocumentDecoder.decode(JSONValue.self, from: try JSONEncoder().encode(app))
        let schema = try FileSchema.app()
        let delegate = try #require(value["notificationCenter"])
        #expect(schema["AppImplementation"]["properties"]?.members.keys.sorted() == value.members.keys.sorted())
        #expect(schema["CenterDelegate"]["properties"]?.members.keys.sorted() == delegate.members.keys.sorted())
    }

    @Test func everyKeyIsRead() throws {
        let file = try Self.file(
            """
            callbacks:
              lifeCycle: appDelegate
              sdk: 26
              supportsMultipleScenes: false
              appDelegate: [didFinishLaunching, openURL]
              sceneDelegate: []
              notificationCenter: { methods: [didReceive], setIn: later }
              views: [onOpenURL]
              appIntents: [perform]
              reads: [launchOptions]
              deduplicates: [notificationResponse]
              practices: [usesKeyWindow]
            """
        )
        let expected = AppImplementation(
            lifeCycle: .appDelegate,
            sdk: 26,
            supportsMultipleScenes: false,
            appDelegate: [.didFinishLaunching, .openURL],
            sceneDelegate: [],
            notificationCenter: CenterDelegate(methods: [.didReceive], setIn: .later),
            views: [.onOpenURL],
            appIntents: [.perform],
            reads: [.launchOptions],
            deduplicates: [.notificationResponse],
            practices: [.usesKeyWindow]
        )
        #expect(file.app.callbacks == expected)
    }

    @Test(arguments: [("", nil), ("callbacks: {}", AppImplementation())] as [(String, AppImplementation?)])
    func absentKeyIsUnknown(_ callbacks: String, _ expected: AppImplementation?) throws {
        #expect(try Self.file(callbacks).app.callbacks == expected)
    }

    @Test(arguments: [
        ("callbacks: {read: []}", "3:13: unknown key 'read'; did you mean 'reads'?"),
        ("callbacks: {lifeCycle: uiscene}", "3:24: 'lifeCycle' is 'uiscene'; did you mean 'uiScene'?"),
        (
            "callbacks: {reads: [urlContext]}",
            "3:21: an element of 'reads' is 'urlContext'; did you mean 'urlContexts'?"
        ),
        ("callbacks: {notificationCenter: {setIn: latr}}", "3:41: 'setIn' is 'latr'; did you mean 'later'?"),
        ("callbacks: {sdk: 0}", "3:18: 'sdk' is '0'; it must be a whole number, at least 1"),
        ("callbacks:", "3:11: 'callbacks' has no value; it must be an object"),
    ])
    func mistakeHasItsPlaceAndASuggestion(_ callbacks: String, _ expected: String) throws {
        let error = try #require(throws: FileFindings.self) { _ = try Self.file(callbacks) }
        #expect(error.findings.map { "\($0.place.line):\($0.place.column): \($0.message)" } == [expected])
    }
}
