import Foundation
import Testing
import WaypostTestSupport

@Suite struct GoldenTests {
    /// The stored pictures and texts by file name.
    ///
    /// With `WAYPOST_WRITE_DOCS=1` they are written first.
    private static let kept = Result {
        let files = FileManager.default
        let folder = Repository.vectors.appending(path: "attribution/svg")
        if ProcessInfo.processInfo.environment["WAYPOST_WRITE_DOCS"] == "1" {
            try? files.removeItem(at: folder)
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
            for picture in Gallery.all {
                try Data(picture.svg.utf8).write(to: folder.appending(path: "\(picture.name).svg"))
            }
            try Data(texts.utf8).write(to: folder.appending(path: textFile))
        }
        let names = try files.contentsOfDirectory(atPath: folder.path)
        let contents = try names.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        return Dictionary(uniqueKeysWithValues: zip(names, contents))
    }

    private static let textFile = "terminal.txt"

    private static let texts = Gallery.all.map { "\($0.name):\n\($0.terminalText)\n" }.joined(separator: "\n")

    @Test(arguments: Gallery.all) func pictureEqualsTheStoredOne(_ picture: Picture) throws {
        let isKept = try Self.kept.get()["\(picture.name).svg"] == picture.svg
        #expect(isKept, "\(picture.name).svg differs; to regenerate it, set WAYPOST_WRITE_DOCS=1, then review it")
    }

    @Test func textsEqualTheStoredOnes() throws {
        #expect(try Self.kept.get()[Self.textFile] == Self.texts)
    }

    @Test func onlyPicturesOfTheGalleryAreStored() throws {
        let names = Gallery.all.map { "\($0.name).svg" } + [Self.textFile]
        #expect(Set(names).count == names.count)
        #expect(try Set(Self.kept.get().keys) == Set(names))
    }
}
