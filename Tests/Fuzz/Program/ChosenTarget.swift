import Foundation
import FuzzTargets

/// The target that the environment names; it is read once.
///
/// Without a name, the program writes the names of all targets and ends.
let chosenTarget: FuzzTarget = {
    guard let name = ProcessInfo.processInfo.environment["WAYPOST_FUZZ_TARGET"], !name.isEmpty else {
        FileHandle.standardOutput.write(Data(FuzzTarget.all.map { "\($0.name)\t\($0.summary)\n" }.joined().utf8))
        exit(0)
    }
    guard let target = FuzzTarget.named(name) else {
        let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
        FileHandle.standardError.write(Data("WAYPOST_FUZZ_TARGET is \(name); it can be \(names)\n".utf8))
        exit(2)
    }
    return target
}()

/// Chooses the target before libFuzzer reads the corpus.
///
/// - Returns: Always 0.
@_cdecl("LLVMFuzzerInitialize")
public func chooseFuzzTarget(
    _: UnsafeMutablePointer<CInt>?,
    _: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    _ = chosenTarget
    return 0
}
