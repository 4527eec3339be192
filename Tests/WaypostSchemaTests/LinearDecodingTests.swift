import JSONScanning
import Testing
import WaypostSchema

/// Reading JSON takes time that grows with its length, however it is nested.
@Suite struct LinearDecodingTests {
    /// A notification whose payload has `leaves` numbers inside `depth` arrays.
    private func notification(leaves: Int, depth: Int) -> String {
        let numbers = Array(repeating: "1", count: leaves).joined(separator: ",")
        let payload = String(repeating: "[", count: depth) + numbers + String(repeating: "]", count: depth)
        return #"{"sequence":1,"id":"i","token":"t","topic":"a","pushType":"alert","priority":10,"#
            + #""payload":{"aps":\#(payload)}}"#
    }

    private func steps(leaves: Int, depth: Int) throws -> Int {
        let document = try JSONDocument(Array(notification(leaves: leaves, depth: depth).utf8))
        return try DocumentDecoder.stepCount(toDecode: DeliveredNotification.self, from: document.root)
    }

    @Test(arguments: [1_000, 2_000, 4_000, 8_000]) func twiceTheValuesTakeTwiceTheSteps(_ leaves: Int) throws {
        let (once, twice) = (try steps(leaves: leaves, depth: 1), try steps(leaves: 2 * leaves, depth: 1))
        #expect(once > leaves)
        #expect(twice <= 2 * once)
    }

    @Test(arguments: [8, 16, 32, 60]) func aLevelMoreTakesAStepMore(_ depth: Int) throws {
        #expect(try steps(leaves: 1_000, depth: 2 * depth) == (try steps(leaves: 1_000, depth: depth)) + depth)
    }

    @Test(arguments: [1_000, 2_000, 4_000, 8_000]) func twiceTheEventsTakeTwiceTheSteps(_ count: Int) throws {
        let event = notification(leaves: 1, depth: 100)
        let steps = try [count, 2 * count].map { count in
            let text = "[" + Array(repeating: event, count: count).joined(separator: ",") + "]"
            let document = try JSONDocument(Array(text.utf8))
            return try DocumentDecoder.stepCount(toDecode: [DeliveredNotification].self, from: document.root)
        }
        #expect(steps[1] <= 2 * steps[0])
    }
}
