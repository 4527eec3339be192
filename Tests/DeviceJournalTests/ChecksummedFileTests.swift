import DeviceJournal
import Foundation
import Testing
import WaypostTestSupport

@Suite struct ChecksummedFileTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    @Test(arguments: ["", "{}", "a\nb\n", "🤡"]) func writtenFileCanBeRead(_ text: String) {
        let path = folder.path(of: "file")
        ChecksummedFile.write(Data(text.utf8), to: path)
        #expect(ChecksummedFile.read(path) == Data(text.utf8))
        ChecksummedFile.write(Data("another".utf8), to: path)
        #expect(ChecksummedFile.read(path) == Data("another".utf8))
    }

    @Test func changedOrTruncatedFileIsIgnored() throws {
        let path = folder.path(of: "file")
        #expect(ChecksummedFile.read(path) == nil)
        ChecksummedFile.write(Data(#"{"a":1}"#.utf8), to: path)
        let whole = try Data(contentsOf: URL(filePath: path))
        for length in 0..<whole.count {
            try whole.prefix(length).write(to: URL(filePath: path))
            #expect(ChecksummedFile.read(path) == nil, "\(length)")
        }
        var changed = whole
        changed[2] ^= 1
        try changed.write(to: URL(filePath: path))
        #expect(ChecksummedFile.read(path) == nil)
    }
}
