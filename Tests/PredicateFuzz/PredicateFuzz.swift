import Foundation

/// Checks one question that the fuzzer generated.
///
/// libFuzzer, which has the `main` of this program, calls this function. A violated property ends the program.
///
/// - Parameters:
///   - bytes: A format, the separator and a value.
///   - count: The number of bytes.
/// - Returns: Always 0.
@_cdecl("LLVMFuzzerTestOneInput")
public func askOneQuestion(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    PredicatePromises(FuzzQuestion(UnsafeBufferPointer(start: bytes, count: count))).check()
    return 0
}

/// Writes the seeds into the first folder of the command line, in which libFuzzer keeps its corpus.
///
/// libFuzzer calls this function before it reads that folder. If the command line has no folder, for example when a
/// single input is run again, nothing is written.
///
/// - Returns: Always 0.
@_cdecl("LLVMFuzzerInitialize")
public func writeSeeds(
    _: UnsafeMutablePointer<CInt>?,
    _: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    guard let folder = CommandLine.arguments.dropFirst().first(where: isFolder) else { return 0 }
    do {
        for (index, question) in try (FuzzQuestion.seeds + FuzzQuestion.vectors).enumerated() {
            try Data(question.bytes).write(to: URL(filePath: folder).appending(path: "seed-\(index)"))
        }
    } catch {
        // libFuzzer ignores the value that this function returns, so the process ends here.
        FileHandle.standardError.write(Data("cannot write the seeds into \(folder): \(error)\n".utf8))
        exit(1)
    }
    return 0
}

private func isFolder(_ argument: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: argument, isDirectory: &isDirectory) && isDirectory.boolValue
}
