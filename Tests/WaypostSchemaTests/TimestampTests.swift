import Testing
import WaypostSchema

@Suite struct TimestampTests {
    @Test(arguments: [0, 1, -1, 1_569_866_400_000, Int.max, Int.min])
    func timestampIsAnInteger(_ milliseconds: Int) throws {
        let moment = Timestamp(milliseconds: milliseconds)
        #expect(try moment.json() == "\(milliseconds)")
        #expect(try Timestamp(json: "\(milliseconds)") == moment)
    }

    @Test(arguments: ["0.5", #""0""#, "null", #"{"rawValue":0}"#, "9223372036854775808", #""2019-09-30T18:00:00Z""#])
    func otherValueThanAnIntegerIsRefused(_ text: String) {
        #expect(throws: DecodingError.self) { try Timestamp(json: text) }
    }

    @Test(arguments: [(0, 0), (999, 0), (1_000, 1), (1_569_866_400_999, 1_569_866_400)])
    func secondsAreWhole(_ milliseconds: Int, _ seconds: Int) {
        #expect(Timestamp(milliseconds: milliseconds).seconds == seconds)
    }

    @Test func earlierIsLess() {
        #expect(Timestamp(milliseconds: 1) < Timestamp(milliseconds: 2))
        #expect(!(Timestamp(milliseconds: 2) < Timestamp(milliseconds: 2)))
    }

    @Test func schemaAllowsAnInteger() throws {
        #expect(try Schema.current().definitions["Timestamp"]?["type"]?.string == "integer")
    }
}
