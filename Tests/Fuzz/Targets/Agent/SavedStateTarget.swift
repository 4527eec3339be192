import DeviceJournal
import Foundation

@testable import DeviceAgent

extension FuzzTarget {
    /// The contents of the saved state of a device.
    static let savedStates = FuzzTarget(
        name: "saved-states",
        summary: "saved states of devices; one that is read can be written, read and written again with the same bytes"
    ) { bytes in
        guard depth(of: bytes) < 256, let savedState = SavedState(Data(bytes), writtenBy: program) else { return }
        promise(SavedState(Data(bytes), writtenBy: "another") == nil, "a state of another program is not read")
        guard let contents = savedState.contents, let read = SavedState(contents, writtenBy: program),
            let contentsAgain = read.contents
        else { return promise(false, "a state can be written and read", found: savedState) }
        promise(read.place == savedState.place, "a state has its place in the journal", found: read.place)
        // The order of keys, and of sets, may be another one.
        promise(contents.sorted() == contentsAgain.sorted(), "a state is the same when it is read", found: savedState)
    }

    private static let program = "fuzz"

    /// Returns the maximum depth of JSON, which may be deeper when it is written again.
    private static func depth(of json: UnsafeBufferPointer<UInt8>) -> Int {
        var (depth, maximum) = (0, 0)
        for byte in json {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            maximum = max(maximum, depth)
        }
        return maximum
    }
}
