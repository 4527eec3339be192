import Foundation
import Testing
import UniversalLinks
import WaypostSchema

/// A file, an app, a URL, and what is to be answered.
struct LinkCase: Decodable, Sendable, CustomTestStringConvertible {
    var feature: String
    var aasa: JSONValue
    var domain: String
    var appID: ApplicationIdentifier
    var url: String
    var expect: LinkDecision.Outcome

    var testDescription: String { "\(feature): \(url), \(expect.rawValue)" }

    func answer() throws -> LinkDecision.Outcome {
        let file = try AssociationFile(Array(JSONEncoder().encode(aasa)))
        return AssociationMatcher(file).decision(on: url, for: appID, domain: domain).outcome
    }
}
