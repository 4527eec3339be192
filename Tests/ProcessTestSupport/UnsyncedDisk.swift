import Foundation
import WaypostTestSupport

/// A folder on a disk that forgets unsynced writes: a preloaded C library records them, and ends its program with
/// SIGKILL when the power is to fail (`Tests/UnsyncedDisk/unsynced-disk.c`).
///
/// The library is compiled when it is needed: a target of the package would be linked into other programs, whose writes
/// it would record, too.
package struct UnsyncedDisk: Sendable {
    /// The time at which the power fails by itself; a program also loses power by SIGUSR2.
    package enum Failure: Sendable {
        /// When a sync with this number begins, from 1.
        case beforeSync(Int)

        /// When a sync with this number has taken effect, before the program continues.
        case afterSync(Int)

        /// After a write with this number, from 1.
        case afterWrite(Int)

        /// When the program ends by itself.
        case atExit
    }

    /// An error that calls get from the disk.
    package struct InjectedError: Sendable {
        /// The kind of calls that fail.
        package enum Call: String, CaseIterable, Sendable {
            case sync
            case write
        }

        private let call: Call
        private let first: Int
        private let count: Int
        private let code: Int32

        /// Creates an error of `count` calls of a kind, from the one with the number `first`.
        package init(_ call: Call, first: Int, count: Int, code: Int32) {
            (self.call, self.first, self.count, self.code) = (call, first, count, code)
        }

        fileprivate var setting: String {
            "\(call.rawValue):\(first):\(count):\(code)"
        }
    }

    /// The behavior of the disk under one program.
    package struct Settings: Sendable {
        /// The seed of all choices of the disk.
        package var seed: UInt64

        /// The time at which the power fails by itself.
        package var failure: Failure?

        /// The maximum time of a sync, in microseconds.
        package var maximumDelay = 0

        /// The error of some calls.
        package var error: InjectedError?

        /// The number of bytes for which the folder has room.
        package var room: Int?

        /// Creates the settings of a disk that fails only by SIGUSR2.
        package init(seed: UInt64) {
            self.seed = seed
        }
    }

    /// The folder, an absolute path.
    package let folder: String

    private let library: String
    private let picture: String

    /// The folder with the contents that the disk has of files of which a sync failed, for the next program.
    private var diskContents: String { picture + ".disk" }

    /// Compiles the library.
    ///
    /// - Parameters:
    ///   - name: The name of the folder in `parent`.
    ///   - parent: A folder that exists; the library and a picture of the folder are put beside it.
    /// - Throws: `ExternalCommand.Failure` if the library cannot be compiled, or `NoCompiler`.
    package init(_ name: String, in parent: String) async throws {
        let parent = URL(filePath: parent).resolvingSymlinksInPath().path
        folder = "\(parent)/\(name)"
        picture = "\(parent)/\(name)-after"
        library = "\(parent)/unsynced-disk.so"
        let source = Repository.root.appending(path: "Tests/UnsyncedDisk/unsynced-disk.c").path
        // Swift's toolchain contains clang.
        guard let compiler = ["cc", "clang"].first(where: { ExternalCommand.succeeds([$0, "--version"]) }) else {
            throw NoCompiler()
        }
        let options = ["-std=gnu2x", "-O1", "-shared", "-fPIC", "-pthread"]
        _ = try await ExternalCommand.run([compiler] + options + ["-o", library, source])
    }

    /// Returns the command that runs another command on the disk, in the same process.
    package func wrap(_ command: [String], _ settings: Settings) -> [String] {
        var variables = ["FOLDER=\(folder)", "PICTURE=\(picture)", "SEED=\(settings.seed)"]
        variables.append("DELAY=\(settings.maximumDelay)")
        if let failure = settings.failure { variables.append("FAIL=\(failure.setting)") }
        if let error = settings.error { variables.append("ERROR=\(error.setting)") }
        if let room = settings.room { variables.append("ROOM=\(room)") }
        return ["env", "LD_PRELOAD=\(library)"] + variables.map { "UNSYNCED_" + $0 } + command
    }

    /// Replaces the folder by what the disk has after the power failure; returns `false` if there was none.
    package func restore() throws -> Bool {
        let files = FileManager.default
        guard files.fileExists(atPath: picture) else { return false }
        try forgetFailedSyncs()
        if files.fileExists(atPath: folder) { try files.removeItem(atPath: folder) }
        try files.moveItem(atPath: picture, toPath: folder)
        return true
    }

    /// Takes for synced what a failed sync has left in the system's memory only.
    ///
    /// Call this before a program uses the folder without the disk: its syncs would not be recorded.
    package func forgetFailedSyncs() throws {
        guard FileManager.default.fileExists(atPath: diskContents) else { return }
        try FileManager.default.removeItem(atPath: diskContents)
    }

    /// No C compiler was found.
    package struct NoCompiler: Error, CustomStringConvertible {
        /// The requirement.
        package var description: String {
            "there is no C compiler on the PATH; install cc or clang"
        }
    }
}

extension UnsyncedDisk.Failure {
    fileprivate var setting: String {
        switch self {
        case .beforeSync(let number): "sync:\(number)"
        case .afterSync(let number): "synced:\(number)"
        case .afterWrite(let number): "write:\(number)"
        case .atExit: "exit"
        }
    }
}
