import Foundation
import FuzzTargets
import Testing
import WaypostTestSupport

/// The committed corpus of the fuzzer: seeds, and inputs that once broke a promise.
@Suite(.timeLimit(.minutes(10))) struct CorpusTests {
    private static let folder = Repository.root.appending(path: "Tests/Fuzz")

    @Test(arguments: FuzzTarget.all.map(\.name)) func everyFileOfTheCorpusKeepsThePromises(_ name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let folder = Self.folder.appending(path: "corpus/\(name)")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty, "\(name) has no seed")
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            let record: @Sendable (String) -> Void = { Issue.record("\(file.lastPathComponent): \($0)") }
            Promise.$onBreach.withValue(record) {
                bytes.withUnsafeBufferPointer { target.run($0) }
            }
        }
    }

    @Test func everyFolderAndDictionaryBelongsToATarget() throws {
        let names = FuzzTarget.all.map(\.name)
        #expect(Set(names).count == names.count)
        let files = FileManager.default
        let corpora = try files.contentsOfDirectory(atPath: Self.folder.appending(path: "corpus").path)
        #expect(Set(corpora) == Set(names))
        let dictionaries = try files.contentsOfDirectory(atPath: Self.folder.appending(path: "dictionaries").path)
        #expect(Set(dictionaries).isSubset(of: names.map { "\($0).dict" }))
    }

    @Test func theCorpusIsSmall() throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.appending(path: "corpus").path)
        let sizes = try paths.map { path in
            let file = Self.folder.appending(path: "corpus/\(path)")
            let values = try file.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
            return values.isRegularFile == true ? values.fileSize ?? 0 : 0
        }
        #expect(sizes.reduce(0, +) <= 2_000_000)
    }
}
