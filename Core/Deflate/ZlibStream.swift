internal import CZlib

/// A zlib stream record at a stable address: zlib keeps a pointer to the record and checks it.
struct ZlibStream: ~Copyable {
    /// The result of one call to zlib.
    struct StepOutcome {
        var consumedCount: Int
        var producedCount: Int
        var status: Int32
    }

    private let record: UnsafeMutablePointer<z_stream>
    private let outputBuffer: UnsafeMutableBufferPointer<UInt8>
    private let end: (UnsafeMutablePointer<z_stream>) -> Int32

    /// The maximum number of bytes that one step produces.
    static let stepSize = 64 << 10

    /// Creates a stream that `initialize` sets up and `end` frees.
    init(
        initialize: (UnsafeMutablePointer<z_stream>) -> Int32,
        end: @escaping (UnsafeMutablePointer<z_stream>) -> Int32
    ) {
        let record = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        record.initialize(to: z_stream())
        // The arguments are valid, so only an allocation can fail; a failed allocation in Swift ends the process too.
        precondition(initialize(record) == Z_OK, "zlib could not allocate its state")
        self.record = record
        self.end = end
        outputBuffer = .allocate(capacity: Self.stepSize)
    }

    deinit {
        _ = end(record)
        record.deallocate()
        outputBuffer.deallocate()
    }

    /// The message of zlib for the last error.
    var message: String? {
        record.pointee.msg.map { String(cString: $0) }
    }

    /// Runs `operation` once over `input`, appending at most `limit` bytes (and at most `stepSize`) to `output`.
    func step(
        _ input: UnsafeRawBufferPointer,
        appendingTo output: inout [UInt8],
        atMost limit: Int,
        _ operation: (UnsafeMutablePointer<z_stream>) -> Int32
    ) -> StepOutcome {
        let inputCount = min(input.count, Int(Int32.max))
        let room = min(limit, Self.stepSize)
        // zlib's `next_in` is not const for historical reasons; it never writes through it.
        record.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        )
        record.pointee.avail_in = UInt32(inputCount)
        record.pointee.next_out = outputBuffer.baseAddress
        record.pointee.avail_out = UInt32(room)
        let status = operation(record)
        let producedCount = room - Int(record.pointee.avail_out)
        output.append(contentsOf: outputBuffer[..<producedCount])
        let consumedCount = inputCount - Int(record.pointee.avail_in)
        return StepOutcome(consumedCount: consumedCount, producedCount: producedCount, status: status)
    }

    /// Calls zlib's `reset` function on the stream.
    func reset(_ reset: (UnsafeMutablePointer<z_stream>) -> Int32) {
        _ = reset(record)
    }
}
