import Foundation
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// A line of `Tests/Vectors/association-files/files.jsonl`; the README of the folder describes the members.
struct AssociationFileVector: Decodable, Sendable, CustomTestStringConvertible {
    var file: String
    var findings: [String]
    var refused: AssociationFailure.Code?
    var services: [String: [String]]?
    var spaces: Int?

    var testDescription: String { spaces.map { "\(file) and \($0) spaces" } ?? file }

    static let folder = Repository.vectors.appending(path: "association-files")

    static func all() throws -> [Self] {
        try Repository.lines(of: folder.appending(path: "files.jsonl"))
            .map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }

    /// Returns the files that are not refused.
    static func read() throws -> [Self] {
        try all().filter { $0.refused == nil }
    }

    /// Returns the parsed file with this name.
    static func parsed(_ name: String) throws -> AssociationFile {
        try AssociationFile(Array(Data(contentsOf: folder.appending(path: name))))
    }

    func bytes() throws -> [UInt8] {
        let text = try Array(Data(contentsOf: Self.folder.appending(path: file)))
        return text + Array(repeating: UInt8(ascii: " "), count: spaces ?? 0)
    }

    func parsed() throws -> AssociationFile {
        try AssociationFile(bytes())
    }
}

/// A line of `Tests/Vectors/association-files/decisions.jsonl`.
struct AssociationDecisionVector: Decodable, Sendable, CustomTestStringConvertible {
    var file: String
    var app: ApplicationIdentifier
    var url: String
    var reason: LinkDecision.Reason
    var place: String?

    var testDescription: String { "\(file): \(url), \(reason.rawValue)" }

    static func all() throws -> [Self] {
        try Repository.lines(of: AssociationFileVector.folder.appending(path: "decisions.jsonl"))
            .map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }
}
