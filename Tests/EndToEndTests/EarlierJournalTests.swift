import Foundation
import Testing
import WaypostTestSupport

/// Journals that version 0.2.0 wrote before devices decided about notifications, and the effects that it replayed
/// (`Tests/Vectors/journals`).
@Suite(.timeLimit(.minutes(5))) struct EarlierJournalTests {
    private static let names = [
        "clown-town-ipad", "clown-town-mac", "consent-by-pins", "enrique-and-sarah", "handoff-ipad", "handoff-mac",
        "restart", "shelf",
    ]

    private static func vectors(_ name: String) -> URL {
        Repository.vectors.appending(path: "journals/\(name).jsonl")
    }

    private static func effects(_ lines: [String]) throws -> [NSDictionary] {
        try lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
        }
    }

    /// Returns whether a value has all members of an earlier one; it may have more.
    private static func has(_ value: Any?, all earlier: Any) -> Bool {
        switch (value, earlier) {
        case (let value as NSDictionary, let earlier as NSDictionary):
            earlier.allSatisfy { has(value[$0.key], all: $0.value) }
        case (let value as NSArray, let earlier as NSArray):
            value.count == earlier.count && zip(value, earlier).allSatisfy { has($0, all: $1) }
        default: (value as? NSObject) == (earlier as? NSObject)
        }
    }

    /// Effects may have been added, and members of effects; the earlier ones are the same, in the same order.
    @Test(arguments: names) func replayHasAllEarlierEffects(_ name: String) async throws {
        let arguments = ["replay", Self.vectors(name).path, "--effects", "--format", "jsonl"]
        let result = try await Program.run("waypost", arguments)
        #expect(result.status == 0, "\(result.errors)")
        var remaining = try Self.effects(result.output.split(separator: "\n").map(String.init))[...]
        for earlier in try Self.effects(try Repository.lines(of: Self.vectors(name + ".effects"))) {
            let index = try #require(remaining.firstIndex { Self.has($0, all: earlier) }, "\(earlier)")
            remaining = remaining[(index + 1)...]
        }
    }
}
