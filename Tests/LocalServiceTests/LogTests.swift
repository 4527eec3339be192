import Foundation
import Logging
import Synchronization
import Testing
import WaypostSchema

@testable import LocalService

/// The log of a service, and its readers.
@Suite struct LogTests {
    private static func gapLine(_ count: Int) -> [UInt8] {
        Array("\(count) missing\n".utf8)
    }

    private static func line(_ number: Int) -> [UInt8] {
        Array("line \(number)\n".utf8)
    }

    @Test func linesBeyondTheCapacityAreDroppedAndCounted() {
        var backlog = LogBacklog(capacity: 14, gapLine: Self.gapLine)
        for number in 1...5 { backlog.add(Self.line(number)) }
        #expect(String(decoding: backlog.removeAll(), as: UTF8.self) == "line 1\nline 2\n3 missing\n")
        #expect(backlog.isEmpty)
        backlog.add(Self.line(6))
        #expect(String(decoding: backlog.removeAll(), as: UTF8.self) == "line 6\n")
    }

    @Test func gapIsInOnePlace() {
        var backlog = LogBacklog(capacity: 14, gapLine: Self.gapLine)
        backlog.add(Array("a long line that does not fit\n".utf8))
        backlog.add(Self.line(1))
        #expect(String(decoding: backlog.removeAll(), as: UTF8.self) == "2 missing\n")
    }

    /// Nobody reads the pipe until everything is logged.
    @Test func readerThatStandsStillBlocksNobody() throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let queue = LogQueue(to: ends[1], capacity: 100_000, gapLine: Self.gapLine)
        let count = 100_000
        for number in 1...count { queue.add(Self.line(number)) }
        var text = ""
        while !text.contains("missing\n") { text += String(decoding: reading.availableData, as: UTF8.self) }
        queue.add(Array("end\n".utf8))
        queue.flush()
        while !text.hasSuffix("end\n") { text += String(decoding: reading.availableData, as: UTF8.self) }
        let lines = text.split(separator: "\n")
        let numbers = lines.compactMap { $0.hasPrefix("line ") ? Int($0.dropFirst(5)) : nil }
        let missing = lines.compactMap { $0.hasSuffix(" missing") ? Int($0.dropLast(8)) : nil }
        #expect(numbers == numbers.sorted())
        #expect(numbers.count + missing.reduce(0, +) == count)
        #expect(numbers.count < count)
    }

    private static func text(_ message: String, _ metadata: [String: String]) -> String {
        let lines = Mutex<[UInt8]>([])
        let now = { @Sendable in Timestamp(milliseconds: 0) }
        let write: @Sendable ([UInt8]) -> Void = { line in lines.withLock { $0 += line } }
        let handler = LineLogHandler(label: "waypost-agent", format: .text, now: now, write: write)
        var logger = Logger(label: "waypost-agent") { _ in handler }
        logger.logLevel = .info
        logger.warning("\(message)", metadata: metadata.mapValues { "\($0)" })
        return String(decoding: lines.withLock { $0 }, as: UTF8.self)
    }

    @Test func consequenceOfAReportedFailureIsNotWritten() {
        #expect(Self.text("Waiting on child channel: CancellationError()", [:]).isEmpty)
        #expect(!Self.text("Waiting on child channel: reset", [:]).isEmpty)
    }

    @Test func lineHasTheTimeTheLevelTheMetadataAndTheMessage() {
        let text = Self.text("no app for a notification", ["topic": "com.example.clowntown", "id": "1"])
        #expect(
            text == "1970-01-01T00:00:00Z warning waypost-agent: id=1 topic=com.example.clowntown "
                + "no app for a notification\n"
        )
    }

    @Test(arguments: [
        ("\u{1B}[31mred", "\\u{1B}[31mred"), ("a\nerror forged", "a\\nerror forged"), ("\r", "\\r"),
        ("\u{9B}2J", "\\u{009B}2J"), ("\u{202E}txt", "\\u{202E}txt"), ("\u{2066}", "\\u{2066}"),
        ("\u{2028}", "\\u{2028}"), ("Zoë 🤡", "Zoë 🤡"),
    ])
    func metadataCannotForgeALine(_ value: String, _ shown: String) {
        #expect(Self.text("m", ["topic": value]).contains(" topic=\(shown) m\n"))
        #expect(Self.text(value, [:]).hasSuffix(": \(shown)\n"))
    }
}

@Suite struct CrashReportsTests {
    /// The trap of the runtime ends the process by its signal, which a handler of the runtime would delay.
    @Test func crashHasNoHandler() async {
        await #expect(processExitsWith: .signal(SIGTRAP)) {
            CrashReports.turnOff()
            for crash in CrashReports.signals {
                var action = sigaction()
                guard sigaction(crash, nil, &action) == 0, action.__sigaction_handler.sa_handler == nil else { exit(1) }
            }
            raise(SIGTRAP)
        }
    }
}
