import Foundation
import Testing
import WaypostTestSupport

/// Runs the commands of `README.md` and of the tutorial as a reader would, and compares what they print with the page.
///
/// A page starts a dozen programs, which need more than a minute on a slow machine.
@Suite(.timeLimit(.minutes(5)), .serialized) struct ReadmeTests {
    /// A block of commands with the output that the page shows after it.
    struct Block: Equatable {
        var commands: String
        var runsInBackground: Bool
        var output: String
    }

    static let page = Repository.root.appending(path: "README.md")
    static let pages = ["README.md", "docs/tutorial.md"]

    /// The ports of the pages' programs; if another program uses one, the commands cannot run.
    static let ports = [7_330, 7_331, 7_333, 7_340]

    @Test(
        .enabled("programs and ports of the page are available") {
            ExternalCommand.succeeds(["sh", "-c", "command -v jq curl"])
                && Self.ports.allSatisfy {
                    !ExternalCommand.succeeds(["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/\($0)"])
                }
        },
        arguments: pages
    )
    func everyCommandPrintsWhatThePageShows(_ page: String) async throws {
        let blocks = Self.blocks(in: try Repository.lines(of: Repository.root.appending(path: page)))
        #expect(blocks.count > 4)
        let folder = try ScratchFolder()
        let script = folder.path(of: "page.sh")
        try Data(Self.script(blocks).utf8).write(to: URL(filePath: script))
        let printed = String(decoding: try await ExternalCommand.run(["bash", script]), as: UTF8.self)
        let outputs = printed.components(separatedBy: Self.separator + "\n").dropFirst()
        #expect(outputs.count == blocks.count)
        for (block, output) in zip(blocks, outputs) {
            #expect(Self.normalized(output) == Self.normalized(block.output), "\(block.commands)")
        }
    }

    @Test func pageIsShort() throws {
        let lines = try Repository.lines(of: Self.page)
        #expect(lines.count <= 120)
    }

    @Test func identifierTokenTimeAndPortAreReplaced() {
        let text = """
            1aef1dd5-1b26-4d0a-9c5a-0fbd77a97a19 \(String(repeating: "0f", count: 32)) 2026-11-23T04:53:54.390Z \
            http://127.0.0.1:38061
            """
        #expect(Self.normalized(text) == "<id> <token> <time> http://127.0.0.1:<port>")
    }

    // MARK: The page

    /// Returns the blocks of commands; the fenced block right after one is its output.
    static func blocks(in lines: [String]) -> [Block] {
        var fences: [(info: String, lines: [String], end: Int)] = []
        var open: (info: String, start: Int)?
        for (index, line) in lines.enumerated() where line.hasPrefix("```") {
            if let (info, start) = open {
                fences.append((info, Array(lines[(start + 1)..<index]), index))
                open = nil
            } else {
                open = (String(line.dropFirst(3)), index)
            }
        }
        return fences.enumerated().filter { $0.element.info.hasPrefix("sh") }.map { index, fence in
            let next = index + 1 < fences.count ? fences[index + 1] : fence
            let isOutput = next.info.isEmpty && next.end - next.lines.count == fence.end + 2
            return Block(
                commands: fence.lines.joined(separator: "\n"),
                runsInBackground: fence.info == "sh background",
                output: isOutput ? next.lines.map { $0 + "\n" }.joined() : ""
            )
        }
    }

    /// Returns the text with identifiers, tokens, times and chosen ports replaced.
    static func normalized(_ text: String) -> String {
        text.replacing(#/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/#, with: "<id>")
            .replacing(#/\b[0-9a-f]{64}\b/#, with: "<token>")
            .replacing(#/\d{4}-\d\d-\d\dT[\d:.]+Z/#, with: "<time>")
            .replacing(#/127\.0\.0\.1:\d{5}/#, with: "127.0.0.1:<port>")
    }

    // MARK: The script

    private static let separator = "–– next block ––"

    /// Returns a script that runs the blocks in one shell, in a folder of its own, and stops the programs at its end.
    private static func script(_ blocks: [Block]) -> String {
        let head = """
            set -m
            exec 2>&1
            cd "$(dirname "$0")"
            PATH='\(BuiltPrograms.folder.path)':$PATH
            trap 'for job in $(jobs -p); do kill -- -$job; done 2>/dev/null' EXIT

            """
        return head + blocks.enumerated().map { "echo '\(separator)'\n" + script($1, number: $0) }.joined()
    }

    private static func script(_ block: Block, number: Int) -> String {
        guard block.runsInBackground else { return block.commands + "\n" }
        let lines = block.output.split(separator: "\n").count
        // `head` ends when the program has printed as many lines as the page shows.
        return """
            mkfifo output-\(number)
            { \(block.commands)
            } >output-\(number) 2>errors-\(number) </dev/null &
            exec \(number + 3)<output-\(number)
            head --lines \(lines) <&\(number + 3)

            """
    }
}
