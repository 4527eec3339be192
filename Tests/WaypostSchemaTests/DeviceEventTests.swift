import Testing
import WaypostSchema
import WireTypes

/// The decoding error of an event names the field and what is accepted.
@Suite struct DeviceEventTests {
    @Test(arguments: [
        UnreadableDocument(DeviceEvent.self, "{}", "'type' is required"),
        UnreadableDocument(DeviceEvent.self, #"{"type":null}"#, "'type' must not be null"),
        UnreadableDocument(DeviceEvent.self, #"{"type":5}"#, "'type' must be a string"),
        UnreadableDocument(DeviceEvent.self, #"["timePassed"]"#, "the document must be an object"),
    ])
    func eventWithoutATypeIsRefused(_ document: UnreadableDocument) throws {
        #expect(try document.observedSentence() == document.sentence)
    }

    @Test(
        arguments: [
            ("nonsense", "is not one of the \(DeviceEvent.Kind.allCases.count) names in 'waypost schema'"),
            ("", "is not one of the \(DeviceEvent.Kind.allCases.count) names in 'waypost schema'"),
            ("TimePassed", "is not known; did you mean 'timePassed'?"),
            ("timePassed ", "is not known; did you mean 'timePassed'?"),
            ("focusset", "is not known; did you mean 'focusSet'?"),
        ]
    )
    func unknownTypeIsRefusedWithTheOneThatWasMeant(_ name: String, _ hint: String) throws {
        let event = UnreadableDocument(DeviceEvent.self, #"{"type":"\#(name)"}"#, "")
        let entry = UnreadableDocument(JournalEntry.self, #"{"at":0,"type":"\#(name)"}"#, "")
        #expect(try event.observedSentence() == "'type': '\(name)' \(hint)")
        #expect(try entry.observedSentence() == "'type': '\(name)' \(hint)")
    }

    @Test(arguments: [
        UnreadableDocument(DeviceEvent.self, #"{"type":"deviceDescribed"}"#, "'device' is required"),
        UnreadableDocument(DeviceEvent.self, #"{"type":"linkResolved","url":"a"}"#, "'target' is required"),
        UnreadableDocument(DeviceEvent.self, #"{"type":"sharingSet","app":"a"}"#, "'isOn' is required"),
        UnreadableDocument(DeviceEvent.self, #"{"type":"associationChecked","file":"{}"}"#, "'domain' is required"),
        UnreadableDocument(
            DeviceEvent.self,
            #"{"type":"messageReceived","message":{"id":"m"}}"#,
            "'message.conversation' is required"
        ),
        UnreadableDocument(
            DeviceEvent.self,
            #"{"type":"attributionContextChanged","app":"a","view":"v"}"#,
            "'displayContext' is required"
        ),
        UnreadableDocument(
            DeviceEvent.self,
            #"{"type":"attributionRequested","app":"a","view":"v"}"#,
            "'url' is required"
        ),
        UnreadableDocument(DeviceEvent.self, #"{"type":"attributionTapped","app":"a"}"#, "'view' is required"),
        UnreadableDocument(
            DeviceEvent.self,
            #"{"type":"menuItemChosen","app":"a","view":"v"}"#,
            "'item' is required"
        ),
        UnreadableDocument(DeviceEvent.self, #"{"type":"conversationChosen"}"#, "'conversation' is required"),
        UnreadableDocument(DeviceEvent.self, #"{"type":"replySent","message":{}}"#, "'message.id' is required"),
        UnreadableDocument(JournalEntry.self, #"{"type":"timePassed"}"#, "'at' is required"),
        UnreadableDocument(JournalEntry.self, #"{"at":0}"#, "'type' is required"),
    ])
    func missingFieldIsNamed(_ document: UnreadableDocument) throws {
        #expect(try document.observedSentence() == document.sentence)
    }

    @Test(arguments: [
        UnreadableDocument(DeviceEvent.self, #"{"type":"appInstalled","app":"a"}"#, "'app' must be an object"),
        UnreadableDocument(DeviceEvent.self, #"{"type":"appRemoved","app":{}}"#, "'app' must be a string"),
        UnreadableDocument(DeviceEvent.self, #"{"type":"linkPinned","message":{}}"#, "'message' must be a string"),
        UnreadableDocument(
            DeviceEvent.self,
            #"{"type":"sharingSet","app":"a","isOn":"no"}"#,
            "'isOn' must be true or false"
        ),
        UnreadableDocument(
            DeviceEvent.self,
            #"{"type":"attributionAttached","app":"a","view":"v","url":"u","displayContext":"big"}"#,
            "'displayContext': 'big' is not one of summary, detail"
        ),
        UnreadableDocument(
            DeviceEvent.self,
            #"{"type":"automaticSharingOfferAnswered","app":"a","answer":"maybe"}"#,
            "'answer': 'maybe' is not one of accepted, declined, ignored"
        ),
        UnreadableDocument(
            DeviceEvent.self,
            #"{"type":"attributionRequested","app":"a","view":"v","url":"u","preferences":{"backgroundStyle":"red"}}"#,
            "'preferences.backgroundStyle': 'red' is not one of default, color, material"
        ),
        UnreadableDocument(
            DeviceEvent.self,
            #"{"type":"attributionRequested","app":"a","view":"v","url":"u","preferences":{"width":-1}}"#,
            "'preferences.width': a length must be a number of points from 0 to 100000"
        ),
        UnreadableDocument(
            DeviceEvent.self,
            #"{"type":"replySent","message":{"id":"m","conversation":"c","sender":"a@b.example","text":""}}"#,
            "'message': a reply must not have a 'sender', because the user sends it"
        ),
        UnreadableDocument(
            JournalEntry.self,
            #"{"at":"noon","type":"timePassed"}"#,
            "'at' must be a whole number"
        ),
    ])
    func invalidFieldIsNamedWithWhatIsAccepted(_ document: UnreadableDocument) throws {
        #expect(try document.observedSentence() == document.sentence)
    }

    @Test(
        arguments: [
            #""app":"a","conversation":"c""#, #""everywhere":true,"app":"a""#, #""everywhere":false"#, #""ap":"a""#,
        ]
    )
    func sharingIsSetForExactlyOneScope(_ fields: String) throws {
        let sentence = #"exactly one of "everywhere":true, "app" and "conversation" is required"#
        let event = UnreadableDocument(DeviceEvent.self, #"{"type":"sharingSet",\#(fields),"isOn":true}"#, sentence)
        let scope = UnreadableDocument(SharingScope.self, "{\(fields)}", sentence)
        #expect(try event.observedSentence() == sentence)
        #expect(try scope.observedSentence() == sentence)
    }

    @Test(
        arguments: [
            (#"{"everywhere":true,"isOn":true,"type":"sharingSet"}"#, .sharing(.sharingSet(.everywhere, isOn: true))),
            (#"{"app":"a","isOn":false,"type":"sharingSet"}"#, .sharing(.sharingSet(.app("a"), isOn: false))),
            (
                #"{"conversation":"c","isOn":false,"type":"sharingSet"}"#,
                .sharing(.sharingSet(.conversation("c"), isOn: false))
            ),
        ] as [(String, DeviceEvent)]
    )
    func scopeOfSharingIsEncodedNextToTheType(_ text: String, _ event: DeviceEvent) throws {
        #expect(try DeviceEvent(json: text) == event)
        #expect(try DeviceEvent(json: event.json()) == event)
    }

    @Test func everyEventIsEncodedWithTheNameOfItsKind() throws {
        for vector in try Vector.all(of: WireType(type: DeviceEvent.self)) {
            let event = try DeviceEvent(json: vector.text)
            #expect(try JSONValue(json: event.json())["type"]?.string == event.kind.rawValue)
        }
    }
}
