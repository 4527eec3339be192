import Logging
import Synchronization
import Testing
import WaypostSchema

@testable import LocalService

@Suite struct JSONLogHandlerTests {
    @Test func lineIsAJSONObject() throws {
        let output = Output()
        let now = { @Sendable in Timestamp(milliseconds: 1_790_000_000_123) }
        var handler = LineLogHandler(label: "gateway", format: .json, now: now) { line in
            output.text.withLock { $0 += String(decoding: line, as: UTF8.self) }
        }
        handler.logLevel = .trace
        handler[metadataKey: "a"] = "logger"
        handler[metadataKey: "b"] = "logger"
        handler.metadataProvider = Logger.MetadataProvider { ["b": "provider", "c": "provider"] }
        let logger = Logger(label: "gateway") { _ in handler }
        logger.warning(
            "two\nlines",
            metadata: ["c": "event", "n": .stringConvertible(7 as UInt8), "l": ["x", "y"], "d": ["k": "\"v\""]]
        )
        #expect(
            output.text.withLock { $0 }
                == #"{"level":"warning","logger":"gateway","message":"two\nlines","metadata":{"a":"logger","b":"provider","#
                + #""c":"event","d":{"k":"\"v\""},"l":["x","y"],"n":7},"time":"2026-09-21T14:13:20.123Z"}"# + "\n"
        )
    }
}

@Suite struct JSONLogEscapesTests {
    @Test func invisibleCharactersAreEscapes() throws {
        let output = Output()
        let write: @Sendable ([UInt8]) -> Void = { line in
            output.text.withLock { $0 += String(decoding: line, as: UTF8.self) }
        }
        let handler = LineLogHandler(label: "gateway", format: .json, now: { Timestamp(milliseconds: 0) }, write: write)
        let logger = Logger(label: "gateway") { _ in handler }
        logger.warning("a\u{9B}2J\u{202E}\u{E0001}")
        let text = output.text.withLock { $0 }
        #expect(text.contains(#""message":"a\u009b2J\u202e\udb40\udc01""#), "\(text)")
    }
}

/// The text that a log handler wrote.
private final class Output: Sendable {
    let text = Mutex("")
}
