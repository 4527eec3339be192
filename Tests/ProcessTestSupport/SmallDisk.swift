import Foundation
package import WaypostTestSupport

/// A small file system of its own for a test, which the test can fill or make read-only.
///
/// It is mounted in a mount namespace that a process holds. Nothing of it remains afterwards, and it needs no
/// privileges if the system permits unprivileged namespaces.
package struct SmallDisk: Sendable {
    /// The mount point, inside the namespace.
    package let path: String

    private let holder: ChildProcess

    /// Whether this system permits it.
    package static let works: Bool = {
        let script = "mount -t tmpfs -o size=64k tmpfs /mnt && mount -o remount,size=128k /mnt"
        return ExternalCommand.succeeds(["unshare", "-rm", "sh", "-c", script])
    }()

    /// Creates a file system of the given size in `scratch`.
    package init(kibibytes: Int, _ scratch: ScratchFolder) async throws {
        path = scratch.path(of: "disk")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let script = #"mount -t tmpfs -o "size=$1k" tmpfs "$2" && echo mounted && exec sleep infinity"#
        holder = try ChildProcess(["unshare", "-rm", "sh", "-c", script, "sh", "\(kibibytes)", path])
        for await line in holder.lines where line == "mounted" { return }
        throw NotMounted(ended: await holder.ended())
    }

    /// Returns the command that runs another command inside the namespace, in the same process.
    package func inside(_ command: [String]) -> [String] {
        ["nsenter", "--target", "\(holder.identifier)", "--user", "--mount", "--preserve-credentials"] + command
    }

    /// Remounts the file system with other options, such as `size=20m` or `ro`.
    package func remount(_ options: String) async throws {
        _ = try await ExternalCommand.run(inside(["mount", "-o", "remount,\(options)", path]))
    }

    /// Fills the file system with a file of another program.
    package func fill() async throws {
        let script = #"cat /dev/zero > "$1" || true"#
        _ = try await ExternalCommand.run(inside(["sh", "-c", script, "sh", path + "/other"]))
    }

    /// Removes the file of the other program.
    package func removeOtherFile() async throws {
        _ = try await ExternalCommand.run(inside(["rm", path + "/other"]))
    }

    /// Removes the file system and its contents.
    package func unmount() async {
        holder.send(SIGKILL)
        _ = await holder.ended()
    }

    /// The file system could not be mounted.
    package struct NotMounted: Error {
        let ended: ChildProcess.Ended
    }
}
