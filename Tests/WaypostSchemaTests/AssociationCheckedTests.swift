import Testing
import WaypostSchema

/// The answer of a domain: a file, which is kept byte for byte, or a failure.
@Suite struct AssociationCheckedTests {
    @Test(
        arguments: [
            Array("{\"applinks\":{}}".utf8), [], Array("\u{FEFF}{}\n".utf8), Array("e\u{301} é \0 \u{2028} 🤡".utf8),
            [0xFF],
            [0x7B, 0xC3], Array(0...255),
        ] as [[UInt8]]
    )
    func fileSurvivesCoding(_ file: [UInt8]) throws {
        let event = DeviceEvent.system(.associationChecked(domain: "a.example", source: "a.json", .success(file)))
        guard case .system(.associationChecked(_, _, _, .success(let read))) = try DeviceEvent(json: event.json())
        else {
            Issue.record("no file in \(try event.json())")
            return
        }
        #expect(read == file)
    }

    @Test(
        arguments: [
            ([0x7B, 0x7D], "file", "{}"),
            ([], "file", ""),
            ([0xFF, 0xFE], "fileBase64", "//4="),
            ([0xFF, 0xFF, 0xFF, 0xFF], "fileBase64", "/////w=="),
        ] as [([UInt8], String, String)]
    )
    func fileIsAStringIfItIsUTF8(_ file: [UInt8], _ member: String, _ text: String) throws {
        let event = DeviceEvent.system(.associationChecked(domain: "a.example", source: "a.json", .success(file)))
        let written = try JSONValue(json: event.json()).members
        #expect(written[member]?.string == text)
        #expect(Set(written.keys) == ["type", "domain", "source", member])
    }

    @Test(arguments: ["", #","source":null"#])
    func sourceDefaultsToTheWellKnownURL(_ source: String) throws {
        let event = try DeviceEvent(json: #"{"type":"associationChecked","domain":"a.example","file":""\#(source)}"#)
        let wellKnown = "https://a.example/.well-known/apple-app-site-association"
        #expect(event == .system(.associationChecked(domain: "a.example", source: wellKnown, .success([]))))
    }

    @Test(arguments: [
        "",
        #","file":null,"fileBase64":null,"failure":null"#,
        #","file":"{}","fileBase64":"e30=""#,
        #","file":"{}","failure":{"code":"unreachable","message":""}"#,
        #","fileBase64":"e30=","failure":{"code":"unreachable","message":""}"#,
    ])
    func exactlyOneAnswerIsRequired(_ answers: String) throws {
        let sentence = "'file': exactly one of 'file', 'fileBase64' and 'failure' is required"
        #expect(try Self.sentence(about: answers) == sentence)
    }

    @Test(arguments: ["{}", "e30", "e30=\n", "e3 0=", "-_8=", "é"])
    func invalidBase64IsRefused(_ text: String) throws {
        let sentence = "'fileBase64': the file must be valid base64, padded with '='"
        #expect(try Self.sentence(about: #","fileBase64":\#(try text.json())"#) == sentence)
    }

    @Test(
        arguments: [
            (#","file":{}"#, "'file' must be a string"),
            (#","fileBase64":[1,2]"#, "'fileBase64' must be a string"),
            (#","failure":"unreachable""#, "'failure' must be an object"),
            (#","failure":{"code":"unreachable"}"#, "'failure.message' is required"),
            (#","file":"","source":5"#, "'source' must be a string"),
        ]
    )
    func invalidAnswerIsNamed(_ answer: String, _ sentence: String) throws {
        #expect(try Self.sentence(about: answer) == sentence)
    }

    private static func sentence(about answers: String) throws -> String {
        let text = #"{"type":"associationChecked","domain":"a.example"\#(answers)}"#
        return try UnreadableDocument(DeviceEvent.self, text, "").observedSentence()
    }
}
