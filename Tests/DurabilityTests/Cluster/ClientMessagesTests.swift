import Testing
import WaypostTestSupport

@testable import ClusterTestSupport

extension DurabilityTests {
    @Suite(.timeLimit(.minutes(5))) struct ClientMessagesTests {
        private static let startUp: [UInt8] = [0, 0, 0, 9, 0, 3, 0, 0, 0]

        /// The messages of a client that prepares and executes COMMIT in a pipeline, as libpq sends them.
        private static let messages: [ClientMessages.Message] = [
            ClientMessages.Message(content: .other, bytes: [0, 0, 0, 8, 4, 210, 22, 47]),
            ClientMessages.Message(content: .other, bytes: startUp),
            message("P", .parse(name: "s1", sql: "COMMIT"), "s1\0COMMIT\0\0\0"),
            message("B", .bind(statement: "s1"), "\0s1\0\0\0\0\0\0\0"),
            message("D", .other, "P\0"),
            message("E", .other, "\0\0\0\0\0"),
            message("S", .sync, ""),
            message("Q", .query(sql: "LISTEN waypost"), "LISTEN waypost\0"),
            message("X", .other, ""),
        ]

        private static func message(
            _ type: Character,
            _ content: ClientMessages.Content,
            _ body: String
        ) -> ClientMessages.Message {
            let size = body.utf8.count + 4
            let header = [type.asciiValue ?? 0, 0, 0, UInt8(size >> 8), UInt8(size & 0xFF)]
            return ClientMessages.Message(content: content, bytes: header + Array(body.utf8))
        }

        @Test(arguments: 1...20) func messagesAreFoundInPiecesOfAnySize(_ size: Int) {
            let bytes = Self.messages.flatMap(\.bytes)
            var parser = ClientMessages()
            var found: [ClientMessages.Message] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += parser.append(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(found == Self.messages)
        }

        @Test func messageIsIncompleteUntilItsLastByte() {
            var parser = ClientMessages()
            #expect(parser.append(Array(Self.startUp.dropLast())).isEmpty)
            #expect(parser.append([0]).map(\.bytes) == [Self.startUp])
        }
    }
}
