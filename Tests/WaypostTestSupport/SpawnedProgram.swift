package import Foundation

/// A program that was started by the system's own call.
///
/// Foundation's `Process` lets a program inherit the signals that a test's thread blocks, and reads beyond the names of open files
/// when there are many, which ends the process that the tests run in.
package struct SpawnedProgram: Sendable {
    /// The process.
    package let identifier: pid_t

    /// Starts a program: a path, or a name that is looked for as the shell does.
    ///
    /// - Parameters:
    ///   - command: the program with its arguments.
    ///   - input: its standard input, which is closed here; `nil` for none.
    ///   - output: its standard output, which is closed here.
    ///   - errors: its standard error, which is closed here.
    /// - Throws: `NotStarted`.
    package init(_ command: [String], input: FileHandle? = nil, output: FileHandle, errors: FileHandle) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input.fileDescriptor, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output.fileDescriptor, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.fileDescriptor, 2)
        // Nothing else is handed on: whoever holds the other end of a pipe would wait for its end as long as this runs.
        _ = Self.closeFrom?(&actions, 3)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let words = command.map { strdup($0) }
        let variables = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") }
        defer { for text in words + variables { free(text) } }
        var identifier: pid_t = 0
        let code = posix_spawnp(&identifier, command[0], &actions, &attributes, words + [nil], variables + [nil])
        for handle in [input, output, errors].compactMap(\.self) { try? handle.close() }
        guard code == 0 else { throw NotStarted(command: command, reason: String(cString: strerror(code))) }
        self.identifier = identifier
    }

    /// Waits on this thread until the program has ended.
    ///
    /// - Returns: its exit status; 128 and the number of the signal that ended it, as shells have it.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
        // The low seven bits are the signal that ended it, the next eight its exit status (waitpid).
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// A program that could not be started.
    package struct NotStarted: Error {
        let command: [String]
        let reason: String
    }

    private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    /// `posix_spawn_file_actions_addclosefrom_np`, which glibc 2.34 has and its headers keep from Swift.
    private static let closeFrom: CloseFrom? =
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map { unsafeBitCast($0, to: CloseFrom.self) }
}
