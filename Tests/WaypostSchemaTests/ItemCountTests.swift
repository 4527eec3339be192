import Testing
import WaypostSchema

/// Numbers of items that are negative.
@Suite struct ItemCountTests {
    @Test(arguments: ["0", "5", "null"]) func numberOrNoneIsAccepted(_ count: String) throws {
        let menu = try ContentMenu(json: #"{"items":[],"after":\#(count)}"#)
        #expect(menu.after == Int(count))
        let event = try DeviceEvent(json: #"{"type":"showMoreTapped","app":"com.example.tv","after":\#(count)}"#)
        #expect(event == .attribution(.showMoreTapped("com.example.tv", after: Int(count))))
    }

    @Test func negativeNumberIsRefused() throws {
        let menuError = try #require(throws: DecodingError.self) {
            try ContentMenu(json: #"{"items":[],"after":-1}"#)
        }
        #expect(menuError.sentence.hasSuffix("must be at least 0"))
        let eventError = try #require(throws: DecodingError.self) {
            try DeviceEvent(json: #"{"type":"showMoreTapped","app":"com.example.tv","after":-1}"#)
        }
        #expect(eventError.sentence.hasSuffix("must be at least 0"))
    }
}
