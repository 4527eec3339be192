import Testing
import WaypostSchema

/// The sentence of a decoding error names the field.
@Suite struct DecodingErrorSentenceTests {
    @Test(arguments: [
        UnreadableDocument(DeviceDescription.self, "{}", "'name' is required"),
        UnreadableDocument(
            DeviceDescription.self,
            #"{"name":"iPad","apps":[{}]}"#,
            "'apps[0].bundleIdentifier' is required"
        ),
        UnreadableDocument(APIErrorBody.self, #"{"error":{"code":"notFound"}}"#, "'error.message' is required"),
        .scene("{}", "'apps[0].scenes[1].persistentIdentifier' is required"),
    ])
    func missingMemberIsNamed(_ document: UnreadableDocument) throws {
        let sentence = try document.observedSentence()
        #expect(sentence == document.sentence)
    }

    @Test(arguments: [
        UnreadableDocument(DeviceDescription.self, #"{"name":null,"apps":[]}"#, "'name' must not be null"),
        UnreadableDocument(DeviceDescription.self, #"{"name":"iPad","apps":null}"#, "'apps' must not be null"),
        UnreadableDocument(
            DeviceRegistration.self,
            #"{"name":"iPad","topics":["a",null]}"#,
            "'topics[1]' must not be null"
        ),
        .scene(#"{"persistentIdentifier":null}"#, "'apps[0].scenes[1].persistentIdentifier' must not be null"),
        UnreadableDocument(DeviceDescription.self, "null", "the document must not be null"),
    ])
    func nullIsNamed(_ document: UnreadableDocument) throws {
        let sentence = try document.observedSentence()
        #expect(sentence == document.sentence)
    }

    @Test(arguments: [
        UnreadableDocument(DeviceDescription.self, #"{"name":5,"apps":[]}"#, "'name' must be a string"),
        UnreadableDocument(AttributionPreferences.self, #"{"width":"wide"}"#, "'width' must be a number"),
        UnreadableDocument(DeviceDescription.self, #"{"name":"iPad","apps":"none"}"#, "'apps' must be a list"),
        UnreadableDocument(DeviceDescription.self, #"{"name":"iPad","apps":[[]]}"#, "'apps[0]' must be an object"),
        UnreadableDocument(
            DeviceRegistration.self,
            #"{"name":"iPad","topics":["a",5]}"#,
            "'topics[1]' must be a string"
        ),
        UnreadableDocument(
            AcknowledgementReceipt.self,
            #"{"acknowledged":"3"}"#,
            "'acknowledged' must be a whole number"
        ),
        UnreadableDocument(
            Acknowledgement.self,
            #"{"sequences":[1,true]}"#,
            "'sequences[1]' must be a whole number"
        ),
        UnreadableDocument(
            ConditionTrace.self,
            #"{"predicate":"TRUEPREDICATE","result":1}"#,
            "'result' must be true or false"
        ),
        UnreadableDocument(
            BatchStatus.self,
            #"{"id":"b","accepted":0,"rejected":0,"states":[]}"#,
            "'states' must be an object"
        ),
        UnreadableDocument(
            AppDescription.self,
            #"{"bundleIdentifier":"a","associatedDomains":"applinks:a.example","scenes":[]}"#,
            "'associatedDomains' must be a list"
        ),
        UnreadableDocument(
            AppDescription.self,
            #"{"bundleIdentifier":"a","isManaged":"yes","scenes":[]}"#,
            "'isManaged' must be true or false"
        ),
        UnreadableDocument(
            DeviceDescription.self,
            #"{"name":"iPad","apps":[],"associatedDomainsDevelopment":{"a.example":5}}"#,
            "'associatedDomainsDevelopment.a.example' must be a string"
        ),
        UnreadableDocument(
            AppDescription.self,
            #"{"bundleIdentifier":"a","sharedWithYou":"yes","scenes":[]}"#,
            "'sharedWithYou' must be true or false"
        ),
        UnreadableDocument(
            DeviceDescription.self,
            #"{"name":"iPad","apps":[],"pinnedIsAlwaysAvailable":1}"#,
            "'pinnedIsAlwaysAvailable' must be true or false"
        ),
        .scene("5", "'apps[0].scenes[1]' must be an object"),
        .scene(#"{"persistentIdentifier":true}"#, "'apps[0].scenes[1].persistentIdentifier' must be a string"),
        UnreadableDocument(DeviceDescription.self, "[]", "the document must be an object"),
    ])
    func wrongTypeIsNamedWithTheExpectedType(_ document: UnreadableDocument) throws {
        let sentence = try document.observedSentence()
        #expect(sentence == document.sentence)
    }

    @Test(arguments: [#"{"acknowledged":1.5}"#, #"{"acknowledged":9223372036854775808}"#])
    func numberThatDoesNotFitIsNamed(_ text: String) throws {
        let document = UnreadableDocument(AcknowledgementReceipt.self, text, "")
        #expect(try document.observedSentence() == "'acknowledged' must be a whole number")
    }

    @Test(arguments: [
        UnreadableDocument(
            BatchStatus.self,
            #"{"id":"b","accepted":0,"rejected":0,"states":{"onBreak":1}}"#,
            "'states.onBreak': "
        ),
        .scene(#"{"persistentIdentifier":"s","state":"onBreak"}"#, "'apps[0].scenes[1].state': "),
        UnreadableDocument(
            AssociationFinding.self,
            #"{"severity":"onBreak"}"#,
            "'severity': 'onBreak' is not one of error, warning, note"
        ),
    ])
    func errorNamesAnUnknownNameOfAClosedSet(_ document: UnreadableDocument) throws {
        let sentence = try document.observedSentence()
        #expect(sentence.hasPrefix(document.sentence))
        #expect(sentence.contains("onBreak"))
    }
}
