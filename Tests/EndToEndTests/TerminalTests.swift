import Foundation
import Testing
import TextReports
import WaypostTestSupport

/// The output of commands on a terminal, which `script` provides.
@Suite(.timeLimit(.minutes(5)), .serialized) struct TerminalTests {
    /// Runs `waypost` on a terminal, and returns what that shows.
    private static func show(
        _ arguments: String,
        columns: Int = 80,
        noColor: String = ""
    ) async throws -> String {
        // An empty NO_COLOR counts as none; the process of the tests may have one.
        let waypost = "TERM=xterm NO_COLOR=\(noColor) \(BuiltPrograms.path(of: "waypost")) \(arguments)"
        let command = "stty cols \(columns) rows 40; \(waypost)"
        return try await Program.run("script", ["--quiet", "--command", command, "/dev/null"]).output
    }

    /// Runs a gateway with devices and notifications whose names and titles are difficult for a terminal.
    private static func withGateway(_ body: @escaping @Sendable (_ options: String) async throws -> Void) async throws {
        let gateway = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            let options = "--gateway \(try await gateway.value(after: "service"))"
            for name in ["엔리케의 iPad 🤡 with a name that does not end soon", "\u{1B}[31mred", "plain"] {
                let arguments = ["tokens", "create", "--topic", "com.example.clowntown", "--name", name]
                _ = try await Program.run("waypost", arguments + options.split(separator: " ").map(String.init))
            }
            for title in ["مرحبا 🤡🤡", "\u{1B}]0;owned\u{7}", "日本語の長いタイトル 日本語の長いタイトル"] {
                let arguments = ["send", "--to", "plain", "--topic", "com.example.clowntown", "--title", title]
                _ = try await Program.run("waypost", arguments + options.split(separator: " ").map(String.init))
            }
            try await body(options)
        }
        #expect(gateway.status == 0, "\(gateway.lines)")
    }

    private static let commands = [
        "devices list", "devices show plain", "notifications list", "notifications show last", "inbox list plain",
        "streams list", "health", "namespaces list", "doctor",
    ]

    @Test func outputFitsTheTerminal() async throws {
        try await Self.withGateway { options in
            for command in Self.commands {
                for columns in [80, 200] {
                    let text = try await Self.show("\(command) \(options)", columns: columns)
                    #expect(!text.isEmpty)
                    for line in Self.visible(text).split(whereSeparator: \.isNewline) {
                        #expect(String(line).displayWidth <= columns, "\(command): \(line)")
                    }
                }
            }
        }
    }

    @Test func nothingFromOutsideControlsTheTerminal() async throws {
        try await Self.withGateway { options in
            for command in Self.commands {
                let text = try await Self.show("\(command) \(options)", noColor: "1")
                // Without colors, nothing controls the terminal.
                let controls = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" && $0 != "\r" }
                #expect(controls.isEmpty, "\(command): \(text.debugDescription)")
            }
        }
    }

    @Test func colorsAreOnlyForATerminalThatHasThem() async throws {
        try await Self.withGateway { options in
            let arguments = ["send", "--token", "00ff", "--topic", "a.b", "--title", "x"]
            _ = try await Program.run("waypost", arguments + options.split(separator: " ").map(String.init))
            let colored = try await Self.show("notifications list \(options)")
            #expect(colored.contains("\u{1B}[31mrejected"), "\(colored.debugDescription)")
            #expect(try await !Self.show("notifications list \(options)", noColor: "1").contains("\u{1B}"))
            #expect(try await !Self.show("notifications list \(options) --format table | cat").contains("\u{1B}"))
        }
    }

    @Test func interruptionLeavesTheTerminalAsItWas() async throws {
        try await Self.withGateway { options in
            let top = "TERM=xterm \(BuiltPrograms.path(of: "waypost")) top \(options) --interval 100ms"
            // A shell without a trap can end with its command, as dash does.
            let command = "trap : INT; stty -g; \(top); echo status: $?; stty -g; echo end: .; cat"
            let arguments = ["--quiet", "--command", command, "/dev/null"]
            let shown = try await Program.whileRunning("script", arguments) { terminal in
                // It has drawn a picture.
                _ = try await terminal.value(after: "acknowledged")
                // Ctrl-C
                try await terminal.enter("\u{3}")
                let status = try await terminal.value(after: "status:")
                _ = try await terminal.value(after: "end:")
                return status
            }
            #expect(shown.value == "0")
            let end = try #require(shown.lines.firstIndex { $0.hasPrefix("end:") })
            #expect(shown.lines.first == shown.lines[end - 1])
            // The last sequence of each pair turns the mode off.
            let text = shown.lines.joined(separator: "\n")
            for (on, off) in [("[?1049h", "[?1049l"), ("[?25l", "[?25h")] {
                let isOn = text.range(of: on, options: .backwards)
                let isOff = text.range(of: off, options: .backwards)
                #expect((isOn == nil) == (isOff == nil))
                if let isOn, let isOff { #expect(isOff.lowerBound > isOn.lowerBound, "\(text.debugDescription)") }
            }
        }
    }

    /// Returns a text without the sequences that color it.
    private static func visible(_ text: String) -> String {
        text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
    }
}
