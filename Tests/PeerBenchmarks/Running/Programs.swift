import Foundation
import Synchronization

/// The programs that the benchmarks run: those of this build or of another folder, and those of the system.
enum Programs {
    /// The folder of Waypost's programs, if it is not that of this program.
    private static let folder = Mutex<String?>(nil)

    /// Uses Waypost's programs in another folder.
    ///
    /// - Throws: a failure if the folder has no gateway. An installed one must not be measured instead.
    static func use(_ path: String) throws {
        guard FileManager.default.isExecutableFile(atPath: "\(path)/waypost-gateway") else {
            throw Failure("\(path) has no program waypost-gateway; name the folder of a build")
        }
        // Children run in folders of their own.
        folder.withLock { $0 = URL(filePath: path).path }
    }

    /// Returns the path of a program, or `nil` if it is not installed.
    static func path(of name: String) -> String? {
        let own = folder.withLock(\.self) ?? Bundle.main.executableURL?.deletingLastPathComponent().path
        // Servers are in a folder that is not on every user's path.
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").components(separatedBy: ":")
        let folders = [own].compactMap(\.self) + path + ["/usr/sbin"]
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
