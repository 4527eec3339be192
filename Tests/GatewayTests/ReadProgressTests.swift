import NIOCore
import Testing

@testable import Gateway

@Suite struct ReadProgressTests {
    private static func second(_ second: Int64) -> NIODeadline {
        .uptimeNanoseconds(0) + .seconds(second)
    }

    @Test func clientWithAnUnwrittenPartGetsNothingMore() {
        var progress = ReadProgress(at: Self.second(0))
        #expect(progress.isWritable)
        progress.beginWrite(of: 100, at: Self.second(0))
        progress.beginWrite(of: 10, at: Self.second(0))
        progress.endWrite(of: 100)
        #expect(!progress.isWritable)
        progress.endWrite(of: 10)
        #expect(progress.isWritable)
    }

    @Test func clientThatReadsNothingStallsFromItsLastProgress() {
        var progress = ReadProgress(at: Self.second(0))
        progress.beginWrite(of: 100, at: Self.second(5))
        // A second write does not hide that the first one waits.
        progress.beginWrite(of: 10, at: Self.second(9))
        let times = [15, 30, 45].map { progress.stallTime(buffering: 110, at: Self.second($0)) }
        #expect(times == [.seconds(10), .seconds(25), .seconds(40)])
    }

    @Test func clientThatReadsAPartDoesNotStall() {
        var progress = ReadProgress(at: Self.second(0))
        progress.beginWrite(of: 100, at: Self.second(0))
        let times = [(15, 90), (30, 80), (45, 80)].map { second, bytes in
            progress.stallTime(buffering: bytes, at: Self.second(second))
        }
        #expect(times == [.seconds(15), .seconds(0), .seconds(15)])
    }
}
