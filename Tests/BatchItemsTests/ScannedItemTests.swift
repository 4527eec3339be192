import BatchItems
import JSONScanning
import Testing

@Suite struct ScannedItemTests {
    private let required = #""token":"a","topic":"b","payload":{}"#

    @Test func everyFieldIsRead() throws {
        let bytes = Array(
            #"""
            {"token":"00ff","topic":"com.example.clowntown","pushType":"background","priority":5,"expiration":1700000000,
            "collapseID":"juggling","id":"8b1c","payload":{"aps":{"content-available":1}}}
            """#.utf8
        )
        let item = try ScannedItem.scan(bytes, in: bytes.indices)
        #expect(item.token.string(in: bytes) == "00ff")
        #expect(item.topic.string(in: bytes) == "com.example.clowntown")
        #expect(item.pushType?.string(in: bytes) == "background")
        #expect(item.priority == 5)
        #expect(item.expiration == 1_700_000_000)
        #expect(item.collapseID?.string(in: bytes) == "juggling")
        #expect(item.id?.string(in: bytes) == "8b1c")
        #expect(bytes[item.payload] == Array(#"{"aps":{"content-available":1}}"#.utf8)[...])
    }

    @Test(arguments: ["{\(#""pushType":null,"priority":null,"expiration":null,"collapseID":null,"id":null"#),", "{"])
    func absentAndNullAreTheSame(start: String) throws {
        let bytes = Array((start + required + "}").utf8)
        let item = try ScannedItem.scan(bytes, in: bytes.indices)
        #expect(item.pushType == nil)
        #expect(item.priority == nil)
        #expect(item.expiration == nil)
        #expect(item.collapseID == nil)
        #expect(item.id == nil)
    }

    @Test(arguments: [
        #""x":1"#, #""":[]"#, #""Token":1"#, #""token ":1"#, #""collapse_id":1"#, #""collapseId":1"#,
        #""aps":{"token":1}"#,
        #""x":1,"x":2"#, #""t\u006fken\u0000":1"#, #""töken":1"#, #""tokenn":"c""#, #""toke":"c""#,
    ])
    func unknownFieldIsSkipped(members: String) throws {
        for text in ["{\(members),\(required)}", "{\(required), \(members)}"] {
            let bytes = Array(text.utf8)
            let item = try ScannedItem.scan(bytes, in: bytes.indices)
            #expect(item.token.string(in: bytes) == "a")
        }
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("-1", -1), ("9223372036854775807", Int.max), ("-9223372036854775808", .min),
    ])
    func wholeNumberIsRead(text: String, value: Int) throws {
        let bytes = Array(#"{\#(required),"priority":\#(text),"expiration":\#(text)}"#.utf8)
        let item = try ScannedItem.scan(bytes, in: bytes.indices)
        #expect(item.priority == value)
        #expect(item.expiration == value)
    }

    @Test(arguments: [
        "{}", "{ }", "{\n  \"a\" : [ 1.0 , 1e2 ]\r\n}", #"{"b":1,"a":2,"b":3}"#, #"{"\u0061":"\/\u00e9é"}"#,
        #"{"a":"}"}"#,
    ])
    func payloadIsTheSendersBytes(payload: String) throws {
        let bytes = Array(#" {"token":"a","topic":"b","payload" : \#(payload) , "id":"c"} "#.utf8)
        let item = try ScannedItem.scan(bytes, in: bytes.indices)
        #expect(Array(bytes[item.payload]) == Array(payload.utf8))
    }

    @Test func offsetsCountFromTheStartOfTheBytes() throws {
        let marked = MarkedText(#"garbage‸{\#(required)}garbage"#)
        let item = try ScannedItem.scan(marked.bytes, in: marked.offset..<(marked.bytes.count - 7))
        #expect(item.token.range == 17..<18)
        #expect(item.token.string(in: marked.bytes) == "a")
        let error = #expect(throws: ScannedItemError.self) {
            try ScannedItem.scan(marked.bytes, in: marked.offset..<(marked.bytes.count - 6))
        }
        #expect(error?.offset == marked.bytes.count - 7)
    }

    @Test func nothingOutsideTheRangeIsRead() {
        let bytes = Array(#"{"a":123}"#.utf8)
        for end in bytes.indices {
            let error = #expect(throws: ScannedItemError.self) { try ScannedItem.scan(bytes, in: 0..<end) }
            guard case .invalidJSON(let error) = error?.problem, case .unexpectedEnd = error.problem else {
                Issue.record("\(String(describing: error)) with end \(end)")
                continue
            }
            #expect(error.offset == end)
        }
    }
}
