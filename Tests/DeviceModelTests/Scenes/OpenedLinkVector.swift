import DeviceModel
import Foundation
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// A line of `Tests/Vectors/links/opened.jsonl`; the README of the folder describes the members.
struct OpenedLinkVector: Decodable, Sendable, CustomTestStringConvertible {
    /// The answer of a domain that was asked for its association file.
    struct Answer: Decodable, Sendable {
        var domain: String
        var isDevelopment: Bool?
        var file: JSONValue?
        var failure: AssociationFailure?
    }

    /// The expected decision about an app.
    struct ExpectedDecision: Decodable, Sendable {
        var reason: LinkDecision.Reason
        var explanationContains: [String]?
        var fileContains: [String]?
    }

    var feature: String
    var note: String
    var source: String?
    var development: [String: String]?
    var apps: [AppDescription]
    var files: [Answer]
    var installed: [AppDescription]?
    var later: [Answer]?
    var url: String
    var from: BundleIdentifier?
    var page: String?
    var destination: OpenedURL.Destination
    var opens: BundleIdentifier?
    var explanationContains: [String]
    var decisions: [String: ExpectedDecision]
    var due: [AssociationRequest]?

    var testDescription: String { "\(feature): \(note)" }

    /// The time at which the later apps are installed and the later files are fetched; the first ones are at 0.
    private static let installation = Timestamp.hour

    /// The time at which the URL is opened.
    static let opening = Timestamp.hour + 30 * 60 * 1_000

    static func all() throws -> [Self] {
        try Repository.lines(of: Repository.vectors.appending(path: "links/opened.jsonl"))
            .map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }

    /// Returns the device on which the URL is opened.
    func device() throws -> DeviceModel {
        var device = try DeviceModel(apps: apps, development: development)
        device.go(through: try files.map { try $0.event() }, at: .zero)
        device.go(through: (installed ?? []).map { .system(.appInstalled($0)) }, at: Self.installation)
        device.go(through: try (later ?? []).map { try $0.event() }, at: Self.installation)
        return device
    }
}

extension OpenedLinkVector.Answer {
    fileprivate func event() throws -> DeviceEvent {
        .system(
            .associationChecked(
                domain: domain,
                source: "https://\(domain)",
                isDevelopment: isDevelopment ?? false,
                try result()
            )
        )
    }

    private func result() throws -> Result<[UInt8], AssociationFailure> {
        if let failure { return .failure(failure) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return .success(Array(try encoder.encode(file)))
    }
}
