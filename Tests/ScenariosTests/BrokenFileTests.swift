import Foundation
import Scenarios
import SchemaFiles
import Testing
import WaypostTestSupport

/// Scenario files with mistakes, and the messages that they get.
@Suite struct BrokenFileTests {
    @Test func thereAreManyVectorsAndEachHasItsOwnName() throws {
        let names = try BrokenFileVector.all().map(\.name)
        #expect(names.count >= 60)
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: try BrokenFileVector.all())
    func everyProblemIsReportedAtItsPlace(_ example: BrokenFileVector) throws {
        let folder = try ScenarioFolder(example.files)
        let error = #expect(throws: FileFindings.self) { _ = try folder.scenarios() }
        #expect(folder.descriptions(of: error) == example.findings)
    }

    @Test(arguments: try BrokenFileVector.all())
    func messageIsOneLineWithoutAPeriod(_ example: BrokenFileVector) throws {
        let folder = try ScenarioFolder(example.files)
        let error = #expect(throws: FileFindings.self) { _ = try folder.scenarios() }
        for description in folder.descriptions(of: error) {
            let lines = description.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            #expect(lines.count == 1)
            #expect(!description.hasSuffix("."))
        }
    }

    @Test(arguments: try BrokenFileVector.all())
    func placeIsInAFileOfTheFolder(_ example: BrokenFileVector) throws {
        let folder = try ScenarioFolder(example.files)
        let error = #expect(throws: FileFindings.self) { _ = try folder.scenarios() }
        for place in error?.findings.map(\.place) ?? [] {
            guard let text = example.files[folder.relative(place.file)] else {
                #expect(folder.relative(place.file) == "scenario.yaml")
                continue
            }
            let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(1...lines.count ~= place.line)
            #expect(1...(lines[place.line - 1].count + 1) ~= place.column)
        }
    }
}

/// Scenario files that look unusual and are fine.
@Suite struct AcceptedFileTests {
    @Test func thereAreSeveralVectorsAndEachHasItsOwnName() throws {
        let names = try AcceptedFileVector.all().map(\.name)
        #expect(names.count >= 10)
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: try AcceptedFileVector.all())
    func fileIsAcceptedWithAllItsSteps(_ example: AcceptedFileVector) throws {
        let scenarios = try ScenarioFolder(example.files).scenarios()
        #expect(scenarios.count == example.scenarios)
        #expect(scenarios.reduce(0) { $0 + $1.steps.count } == example.steps)
    }
}

/// A line of `Tests/Vectors/scenarios/broken.jsonl`; the README of the folder describes the members.
struct BrokenFileVector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var files: [String: String]
    var findings: [String]

    var testDescription: String { name }

    static func all() throws -> [Self] {
        try Repository.lines(of: Repository.vectors.appending(path: "scenarios/broken.jsonl"))
            .map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }
}

/// A line of `Tests/Vectors/scenarios/accepted.jsonl`.
struct AcceptedFileVector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var files: [String: String]
    var scenarios: Int
    var steps: Int

    var testDescription: String { name }

    static func all() throws -> [Self] {
        try Repository.lines(of: Repository.vectors.appending(path: "scenarios/accepted.jsonl"))
            .map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }
}

/// A folder with the files of a vector.
private struct ScenarioFolder {
    private static let schema = Result { try FileSchema.scenario() }

    private let folder: ScratchFolder

    init(_ files: [String: String]) throws {
        folder = try ScratchFolder()
        for (name, text) in files {
            let parent = URL(filePath: folder.path(of: name)).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            _ = try folder.write(text.utf8, to: name)
        }
    }

    func scenarios() throws -> [Scenario] {
        try ScenarioLoader(try Self.schema.get()).scenarios(in: folder.path(of: "scenario.yaml"))
    }

    /// Returns the lines that the command prints if it runs in the folder.
    func descriptions(of error: FileFindings?) -> [String] {
        error?.findings.map { relative($0.description) } ?? []
    }

    /// Returns a text with paths relative to the folder.
    func relative(_ text: String) -> String {
        text.replacing("\(folder.path)/", with: "")
    }
}
