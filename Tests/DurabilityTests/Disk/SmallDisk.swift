import Foundation
import WaypostTestSupport

/// A file system of its own for a test: small, and full or read-only when the test wants it so.
///
/// It is mounted in a name space of mounts that a process holds, so that nothing is left of it afterwards, and no rights
/// are needed where the system lets anybody have such name spaces.
struct SmallDisk: Sendable {
    /// Where it is mounted, for those who are in the name space.
    let path: String

    private let holder: ChildProcess

    /// Whether this system lets it be.
    static let works: Bool = {
        let script = "mount -t tmpfs -o size=64k tmpfs /mnt && mount -o remount,size=128k /mnt"
        return ExternalCommand.succeeds(["unshare", "-rm", "sh", "-c", script])
    }()

    /// Makes a file system of so many KiB in `scratch`.
    init(kibibytes: Int, _ scratch: ScratchFolder) async throws {
        path = scratch.path(of: "disk")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let script = #"mount -t tmpfs -o "size=$1k" tmpfs "$2" && echo mounted && exec sleep infinity"#
        holder = try ChildProcess(["unshare", "-rm", "sh", "-c", script, "sh", "\(kibibytes)", path])
        for await line in holder.lines where line == "mounted" { return }
        throw NotMounted(ended: await holder.ended())
    }

    /// Returns the command that runs another one where the file system is seen, in the same process.
    func inside(_ command: [String]) -> [String] {
        ["nsenter", "--target", "\(holder.identifier)", "--user", "--mount", "--preserve-credentials"] + command
    }

    /// Gives the file system other options: `size=20m`, `ro`.
    func remount(_ options: String) async throws {
        _ = try await ExternalCommand.run(inside(["mount", "-o", "remount,\(options)", path]))
    }

    /// Lets go of it, with everything that it holds.
    func unmount() async {
        holder.send(SIGKILL)
        _ = await holder.ended()
    }

    /// A file system that could not be mounted.
    struct NotMounted: Error {
        let ended: ChildProcess.Ended
    }
}
