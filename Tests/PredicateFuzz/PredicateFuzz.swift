import Foundation

/// Asks the predicate language one question that the fuzzer made up.
///
/// Called by libFuzzer, which has the `main` of this program; what does not hold ends it.
///
/// - Parameters:
///   - bytes: a format, the separator and a value.
///   - count: how many bytes there are.
/// - Returns: 0, whatever was asked.
@_cdecl("LLVMFuzzerTestOneInput")
public func askOneQuestion(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    PredicatePromises(FuzzQuestion(UnsafeBufferPointer(start: bytes, count: count))).check()
    return 0
}

/// Writes the seeds into the first folder of the command line, which is where libFuzzer keeps its corpus.
///
/// Called by libFuzzer before it reads that folder. Where the command line has no folder, as when one input is run again,
/// nothing is written.
///
/// - Returns: 0.
@_cdecl("LLVMFuzzerInitialize")
public func writeSeeds(
    _: UnsafeMutablePointer<CInt>?,
    _: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    guard let folder = CommandLine.arguments.dropFirst().first(where: isFolder) else { return 0 }
    do {
        for (index, question) in try (FuzzQuestion.seeds + FuzzQuestion.sharedCases).enumerated() {
            try Data(question.bytes).write(to: URL(filePath: folder).appending(path: "seed-\(index)"))
        }
    } catch {
        // There is nobody to throw it to.
        fatalError("the seeds cannot be written into \(folder): \(error)")
    }
    return 0
}

private func isFolder(_ argument: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: argument, isDirectory: &isDirectory) && isDirectory.boolValue
}
