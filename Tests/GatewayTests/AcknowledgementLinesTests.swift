import Testing
import WaypostSchema

@testable import Gateway

@Suite struct AcknowledgementLinesTests {
    private static let lines = """
        {"upTo":1}
        {"sequences":[1,23,456]}

        {"upTo" : 0}\r
         {"sequences":[]}
        {"sequences":[-1, 9223372036854775807]}
        {"upTo":123456789012345678}
        {"upTo":1234567890123456789}
        {"sequences":[7]}

        """

    private static let acknowledgements: [Acknowledgement] = [
        .upTo(1), .sequences([1, 23, 456]), .upTo(0), .sequences([]), .sequences([-1, .max]),
        .upTo(123_456_789_012_345_678), .upTo(1_234_567_890_123_456_789), .sequences([7]),
    ]

    @Test(arguments: 1...40) func bodyHasTheSameMeaningInPiecesOfAnySize(_ size: Int) throws {
        var lines = AcknowledgementLines()
        var rest = Array(Self.lines.utf8)[...]
        var acknowledgements: [Acknowledgement] = []
        while !rest.isEmpty {
            acknowledgements += try lines.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        #expect(acknowledgements == Self.acknowledgements)
    }

    @Test func lineWithoutAnEndIsNotAnAcknowledgementYet() throws {
        var lines = AcknowledgementLines()
        #expect(try lines.append(Array(#"{"upTo":1}"#.utf8)).isEmpty)
        #expect(try lines.append([UInt8(ascii: "\n")]) == [.upTo(1)])
    }

    @Test(
        arguments: [
            "{\"upTo\":01}", "{\"upTo\":1", "{\"upTo\":1}}", "{\"sequences\":[1,]}", "{\"sequences\":[1}", "1", "{}",
            "{\"upTo\":1,\"sequences\":[1]}", "{\"upTo\":1.5}", "{\"upTo\":99999999999999999999}", "\u{FEFF}",
        ]
    )
    func otherLineIsReportedWithItsNumber(_ line: String) throws {
        var lines = AcknowledgementLines()
        _ = try lines.append(Array("{\"upTo\":1}\n\n".utf8))
        let problem = #expect(throws: AcknowledgementLines.Problem.self) {
            _ = try lines.append(Array("\(line)\n".utf8))
        }
        #expect(problem?.line == 3)
        #expect(problem?.message.isEmpty == false)
    }

    @Test func lineThatIsTooLongIsReportedBeforeItEnds() throws {
        var lines = AcknowledgementLines()
        _ = try lines.append(Array(repeating: UInt8(ascii: " "), count: AcknowledgementLines.maximumLineLength))
        let problem = #expect(throws: AcknowledgementLines.Problem.self) { _ = try lines.append([UInt8(ascii: " ")]) }
        #expect(problem == AcknowledgementLines.Problem(line: 1, message: "the line is longer than 1048576 bytes"))
    }
}
