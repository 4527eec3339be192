import Foundation

/// A folder for one input, in memory if the system has a folder there; it is removed with the last reference to it.
final class ScratchMemory {
    /// The path of the folder.
    let path: String

    private static let parent =
        FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()

    init() {
        path = "\(Self.parent)/waypost-fuzz-\(getpid())-\(UUID().uuidString)"
        mkdir(path, 0o700)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file into the folder, and returns its path.
    func write(_ bytes: [UInt8], to name: String) -> String {
        let file = "\(path)/\(name)"
        _ = FileManager.default.createFile(atPath: file, contents: Data(bytes))
        return file
    }
}
