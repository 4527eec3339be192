import Foundation
import Testing
import WaypostTestSupport

@testable import Highlights

/// The links of texts with their places, and the reason for which a URL is not one of them.
@Suite struct LinkReasonVectorTests {
    @Test func casesExistAndEachHasANote() throws {
        let vectors = try LinkReasonVector.all()
        #expect(vectors.count >= 40)
        #expect(vectors.allSatisfy { !$0.note.isEmpty && $0.source?.isEmpty != true })
    }

    @Test(arguments: try LinkReasonVector.all())
    func linksAreAtTheirPlaces(_ vector: LinkReasonVector) {
        let links = LinkDetector.links(in: vector.message)
        #expect(links.count == vector.linkCount ?? vector.links?.count)
        guard let expected = vector.links else { return }
        #expect(links.map(\.url) == expected.map(\.url))
        #expect(links.map(\.location) == expected.map(\.location))
        #expect(links.map(\.length) == expected.map(\.length))
    }

    @Test(arguments: try LinkReasonVector.all())
    func reasonIsNamed(_ vector: LinkReasonVector) {
        #expect(!LinkDetector.links(in: vector.message).map(\.url).contains(vector.url))
        let reason = LinkDetector.reason(against: vector.url, in: vector.message)
        for piece in vector.reasonContains { #expect(reason.contains(piece), "\(reason)") }
    }
}

/// A line of `Tests/Vectors/links-in-text/reasons.jsonl`; the README of the folder describes the members.
struct LinkReasonVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Link: Decodable, Sendable {
        var url: String
        var location: Int
        var length: Int
    }

    var note: String
    var source: String?
    var before: String?
    var times: Int?
    var text: String
    var url: String
    var links: [Link]?
    var linkCount: Int?
    var reasonContains: [String]

    var testDescription: String { note }

    /// The whole text of the message.
    var message: String {
        String(repeating: before ?? "", count: times ?? 1) + text
    }

    static func all() throws -> [Self] {
        try Repository.lines(of: Repository.vectors.appending(path: "links-in-text/reasons.jsonl"))
            .map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }
}
