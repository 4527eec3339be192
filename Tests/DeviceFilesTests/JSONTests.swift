import DeviceFiles
import Foundation
import SchemaFiles
import Testing
import WaypostSchema
import WaypostTestSupport

/// JSON is read with its own meaning, although the reader is a YAML parser.
@Suite struct JSONTests {
    private static let texts = [
        "", " ", "yes", "null", "~", "12", "1.50", "-", "- a", "a: b", "a #b", "#", "{}", "[a]", "\"quoted\"",
        "'single'", "back\\slash", "*alias", "&anchor", "!tag", "%", "@", "`", "two\nlines", "tab\there", " around ",
        "é", "🤡", "\u{2028}", "<<", "---", "SELF == \"https://clowntown.example/clowns/crusty\"",
        String(repeating: "long ", count: 300),
    ]

    @Test(arguments: texts)
    func anyTextSurvivesEncoding(_ text: String) throws {
        let device = DeviceDescription(name: text, apps: [])
        let json = String(decoding: try JSONEncoder().encode(device), as: UTF8.self)
        #expect(try DeviceText.device(json) == device)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func anyDeviceSurvivesEncoding(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<25 {
            let device = Self.device(using: &generator)
            let encoder = JSONEncoder()
            encoder.outputFormatting = round.isMultiple(of: 2) ? [.prettyPrinted, .sortedKeys] : []
            let json = String(decoding: try encoder.encode(device), as: UTF8.self)
            #expect(try DeviceText.device(json) == device, "seed \(seed), round \(round): \(json)")
        }
    }

    @Test(arguments: [
        (#""\ud83e\udd21""#, "🤡"),
        (#""\u00e9\u2028\/\b\f\n\r\t\"\\""#, "é\u{2028}/\u{8}\u{C}\n\r\t\"\\"),
    ])
    func escapesAreRead(_ literal: String, _ text: String) throws {
        #expect(try DeviceText.device(#"{"name": \#(literal), "apps": []}"#).name == text)
    }

    private static func device(using generator: inout SeededGenerator) -> DeviceDescription {
        func text() -> String { texts[Int.random(in: texts.indices, using: &generator)] }
        func list<Element>(_ element: () -> Element) -> [Element] {
            (0..<Int.random(in: 0...3, using: &generator)).map { _ in element() }
        }
        let environments: [PushEnvironment?] = [nil] + PushEnvironment.allCases
        let environment = environments.randomElement(using: &generator) ?? nil
        let layouts: [WindowLayout?] = [nil] + WindowLayout.allCases
        let layout = layouts.randomElement(using: &generator) ?? nil
        return DeviceDescription(
            name: text(),
            apps: list {
                AppDescription(
                    bundleIdentifier: BundleIdentifier(rawValue: text()),
                    sharedWithYou: Bool.random(using: &generator),
                    supportsMultipleScenes: Bool.random(using: &generator),
                    scenes: list {
                        SceneSession(
                            persistentIdentifier: SceneIdentifier(rawValue: text()),
                            title: Bool.random(using: &generator) ? text() : nil,
                            state: SceneState.allCases.randomElement(using: &generator) ?? .background,
                            lastActivated: Bool.random(using: &generator)
                                ? Timestamp(milliseconds: Int.random(in: Int.min...Int.max, using: &generator)) : nil,
                            activationConditions: ActivationConditions(can: text(), prefers: text())
                        )
                    }
                )
            },
            pinnedIsAlwaysAvailable: Bool.random(using: &generator),
            environment: environment,
            layout: layout
        )
    }
}
