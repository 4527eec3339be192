import Testing
import WaypostTestSupport

@testable import HTTP2Sessions

/// Tests of damaged conversations, each of which the session must survive and answer with valid frames.
@Suite struct MutationTests {
    /// The frames that a client sends after its settings.
    private static let conversation: [Frame] = [
        .headers(1, Frame.requestFields), .data(1, #"{"aps":{}}"#),
        Frame(.ping, [1, 2, 3, 4, 5, 6, 7, 8]),
        .headers(3, Frame.requestFields), .data(3, "{", endsStream: false),
        Frame(.priority, stream: 3, [0, 0, 0, 1, 16]),
        Frame(.windowUpdate, [0, 0, 1, 0]), .data(3, "}"),
        .headers(5, Frame.requestFields, endsStream: true), .reset(5),
        Frame(.settings, [0, 4, 0, 0, 0, 9]), .headers(7, Frame.requestFields), .data(7, "{}", endsStream: false),
        .headers(7, [("x-trailer", "1")], endsStream: true), Frame(.goAway, [0, 0, 0, 7, 0, 0, 0, 0]),
    ]

    @Test(arguments: Trials.seeds(200)) func damagedConversationIsHandledSafely(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let client = try Client()
            var bytes = Self.damaged(using: &generator)[...]
            while !bytes.isEmpty {
                let piece = bytes.prefix(Int.random(in: 1...64, using: &generator))
                bytes = bytes.dropFirst(piece.count)
                for request in client.feed(Array(piece)).requests {
                    let body = [UInt8](repeating: 65, count: Int.random(in: 0...40, using: &generator))
                    client.session.respond(to: request.stream, with: HTTP2Response(status: 400, body: body))
                }
                let frames = try client.frames()
                #expect(frames.allSatisfy { $0.kind != .data || !$0.payload.isEmpty })
            }
            let requestBytes = client.session.incomingRequests.values.reduce(0) { $0 + $1.size }
            #expect(client.session.incomingBytes == requestBytes)
        }
    }

    private static func damaged(using generator: inout SeededGenerator) -> [UInt8] {
        var frames = conversation
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: frames.shuffle(using: &generator)
        case 1: frames.remove(at: Int.random(in: frames.indices, using: &generator))
        case 2:
            frames.insert(
                frames.randomElement(using: &generator) ?? .settings,
                at: Int.random(in: frames.indices, using: &generator)
            )
        default: break
        }
        var bytes = frames.flatMap(\.bytes)
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let place = Int.random(in: bytes.indices, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: bytes.remove(at: place)
            default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
            }
        }
        return bytes
    }
}
