import Foundation
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// A file, an app, a URL and the expected outcome.
struct LinkCase: Decodable, Sendable, CustomTestStringConvertible {
    let feature: String
    let aasa: JSONValue
    let app: ApplicationIdentifier
    let domain: String
    let url: String
    let expect: LinkDecision.Outcome

    var testDescription: String { "\(feature): \(url), \(expect.rawValue)" }

    /// Returns the cases of a file that has one case on each line.
    static func all(in file: URL) throws -> [LinkCase] {
        let decoder = JSONDecoder()
        return try Repository.lines(of: file).map { try decoder.decode(LinkCase.self, from: Data($0.utf8)) }
    }

    func decision(tracing: Bool = false) throws -> LinkDecision {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let file = try AssociationFile(Array(encoder.encode(aasa)))
        return AssociationMatcher(file).decision(on: url, for: app, domain: domain, tracing: tracing)
    }
}
