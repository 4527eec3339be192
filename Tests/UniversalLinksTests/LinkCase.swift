import Foundation
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// A file, an app, a URL and the expected outcome.
struct LinkCase: Decodable, Sendable, CustomTestStringConvertible {
    /// The reference cases name the app `appID`; the project's own vectors name it `app`.
    private enum CodingKeys: String, CodingKey {
        case feature, aasa, app, appID, domain, url, expect
    }

    let feature: String
    let aasa: JSONValue
    let app: ApplicationIdentifier
    let domain: String
    let url: String
    let expect: LinkDecision.Outcome

    var testDescription: String { "\(feature): \(url), \(expect.rawValue)" }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        feature = try container.decode(String.self, forKey: .feature)
        aasa = try container.decode(JSONValue.self, forKey: .aasa)
        app =
            try container.decodeIfPresent(ApplicationIdentifier.self, forKey: .app)
            ?? container.decode(ApplicationIdentifier.self, forKey: .appID)
        domain = try container.decode(String.self, forKey: .domain)
        url = try container.decode(String.self, forKey: .url)
        expect = try container.decode(LinkDecision.Outcome.self, forKey: .expect)
    }

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
