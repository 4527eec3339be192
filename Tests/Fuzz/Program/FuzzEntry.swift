import FuzzTargets

/// Runs the chosen target with one input of the fuzzer.
///
/// libFuzzer, which has the `main` of this program, calls this function. A broken promise, a failed precondition or a
/// finding of the address sanitizer ends the program.
///
/// - Parameters:
///   - bytes: The input.
///   - count: The number of its bytes.
/// - Returns: Always 0.
@_cdecl("LLVMFuzzerTestOneInput")
public func runFuzzTarget(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosenTarget.run(UnsafeBufferPointer(start: bytes, count: count))
    return 0
}
