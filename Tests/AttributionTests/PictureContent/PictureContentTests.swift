import Foundation
import Testing
import WaypostTestSupport

/// The content of stored pictures, as a browser shows them, compared with expectations written by hand.
@Suite struct PictureContentTests {
    /// The stored pictures by name, which are drawn once.
    private static let stored = Task {
        let pictures = try ExpectedPicture.all().map { ($0.picture, try ExpectedPicture.svg(of: $0.picture)) }
        return try await DrawnPicture.drawn(pictures)
    }

    /// A correct picture and pictures with mistakes by name, which are drawn once.
    private static let altered = Task {
        let pictures = try AlteredPicture.all.map { ($0.name, try $0.svg()) }
        return try await DrawnPicture.drawn([("correct", AlteredPicture.correct)] + pictures)
    }

    @Test(arguments: try ExpectedPicture.all())
    func pictureShowsTheExpectedContent(_ expected: ExpectedPicture) async throws {
        let picture = try #require(try await Self.stored.value[expected.picture])
        #expect(expected.problems(in: picture) == [])
    }

    @Test(arguments: AlteredPicture.all) func mistakeIsFound(_ altered: AlteredPicture) async throws {
        let picture = try #require(try await Self.altered.value[altered.name])
        let problems = try AlteredPicture.expected().problems(in: picture)
        #expect(problems.contains { $0.kind == altered.problem }, "\(problems)")
    }

    @Test func correctPictureHasNoProblems() async throws {
        let picture = try #require(try await Self.altered.value["correct"])
        #expect(try AlteredPicture.expected().problems(in: picture) == [])
    }

    @Test func expectationsNameDocumentedRules() throws {
        let page = try Repository.lines(of: Repository.root.appending(path: "docs/attribution.md"))
        for expected in try ExpectedPicture.all() {
            for rule in expected.rules { #expect(page.contains { $0.hasPrefix("| \(rule) |") }, "\(expected.picture)") }
        }
    }

    @Test func atLeastTenPicturesHaveExpectations() throws {
        let names = try ExpectedPicture.all().map(\.picture)
        #expect(names.count >= 10)
        #expect(Set(names).count == names.count)
    }
}
