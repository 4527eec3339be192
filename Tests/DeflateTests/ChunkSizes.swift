import Deflate
import Testing
import WaypostTestSupport

/// The maximum input and output of one call on a stream; calls use random sizes up to these.
struct ChunkSizes: Sendable, CustomTestStringConvertible {
    var input: Int
    var output: Int

    var testDescription: String {
        "up to \(input) in and \(output) out"
    }

    /// Returns sizes for a body of `count` bytes; sizes that need very many calls are only for small bodies.
    static func random(for count: Int, using generator: inout SeededGenerator) -> Self {
        let sizes = count <= 5000 ? [1, 2, 13, 300] : [300, 5000, 65_536, 1_000_000]
        let input = sizes[Int.random(in: sizes.indices, using: &generator)]
        let output = sizes[Int.random(in: sizes.indices, using: &generator)]
        return Self(input: input, output: output)
    }

    /// Returns `input` deflated in chunks.
    func deflate(
        _ input: [UInt8],
        as format: DeflateFormat,
        level: Deflater.Level = .balanced,
        using generator: inout SeededGenerator
    ) -> [UInt8] {
        var deflater = Deflater(format, level: level)
        var output: [UInt8] = []
        feed(input, using: &generator) { chunk, bound in
            checked(bound, &output) { deflater.deflate(chunk, appendingTo: &$0, atMost: bound) }
        }
        var isComplete = false
        while !isComplete {
            let before = output.count
            let bound = Int.random(in: 1...self.output, using: &generator)
            isComplete = deflater.finish(appendingTo: &output, atMost: bound)
            if output.count - before > bound { Issue.record("finish appended more than \(bound) bytes") }
        }
        return output
    }

    /// Returns `input` inflated in chunks.
    func inflate(
        _ input: [UInt8],
        as format: DeflateFormat,
        limits: InflationLimits = InflationLimits(),
        using generator: inout SeededGenerator
    ) throws -> [UInt8] {
        var inflater = Inflater(format, limits: limits)
        var output: [UInt8] = []
        try feed(input, using: &generator) { chunk, bound in
            try checked(bound, &output) { try inflater.inflate(chunk, appendingTo: &$0, atMost: bound) }
        }
        // All input may be consumed while output that did not fit is still pending.
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        while try inflater.inflate(none, appendingTo: &output, atMost: self.output).producedCount > 0 {}
        try inflater.finish()
        return output
    }

    /// Passes `input` to `call` chunk by chunk, with unconsumed input again, each time with a bound for the output.
    private func feed(
        _ input: [UInt8],
        using generator: inout SeededGenerator,
        to call: (UnsafeRawBufferPointer, Int) throws -> StreamProgress
    ) rethrows {
        var start = 0
        while start < input.count {
            let end = min(start + Int.random(in: 1...self.input, using: &generator), input.count)
            let bound = Int.random(in: 1...output, using: &generator)
            let progress = try input[start..<end].withUnsafeBytes { try call($0, bound) }
            guard progress.consumedCount > 0 || progress.producedCount > 0 else {
                Issue.record("the stream makes no progress at byte \(start)")
                return
            }
            start += progress.consumedCount
        }
    }

    /// Runs `call` and checks the bytes appended to `output` against `bound` and the reported progress.
    private func checked(
        _ bound: Int,
        _ output: inout [UInt8],
        _ call: (inout [UInt8]) throws -> StreamProgress
    ) rethrows -> StreamProgress {
        let before = output.count
        let progress = try call(&output)
        let appended = output.count - before
        // `#expect` is too slow for a check at every byte.
        if appended > bound { Issue.record("\(appended) bytes were appended, but \(bound) are allowed") }
        if appended != progress.producedCount { Issue.record("\(appended) bytes were appended, not \(progress)") }
        return progress
    }
}
