import Deflate
import Foundation
import Testing
import WaypostTestSupport

@Suite struct PresetDictionaryTests {
    @Test func presetDictionaryIsRefusedAfterItsIdentifier() async throws {
        let script = """
            import zlib; from sys import stdin, stdout
            c = zlib.compressobj(zdict=b"a dictionary")
            stdout.buffer.write(c.compress(stdin.buffer.read()) + c.flush())
            """
        let content = Data("content with a dictionary".utf8)
        let stream = Array(try await ExternalCommand.run(["/usr/bin/python3", "-c", script], input: content))
        // The header has two bytes, followed by the dictionary's Adler-32 (RFC 1950, 2.2).
        let headerSize = 6
        #expect(throws: InflateError.dictionaryRequired(offset: headerSize)) {
            try Inflater.inflate(stream, as: .zlib)
        }
    }
}
