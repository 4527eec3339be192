package import Foundation

/// A program that is started with `posix_spawn`.
///
/// With Foundation's `Process`, a program inherits the signals that the test's thread blocks. `Process` also reads past
/// the end of the list of open files if there are many, which crashes the test process.
package struct SpawnedProgram: Sendable {
    /// The identifier of the process.
    package let identifier: pid_t

    /// Starts a program, given by its path or by a name to find in `PATH`.
    ///
    /// - Parameters:
    ///   - command: The program with its arguments.
    ///   - input: The program's standard input, or `nil` for `/dev/null`. This initializer closes it.
    ///   - output: The program's standard output. This initializer closes it.
    ///   - errors: The program's standard error. This initializer closes it.
    /// - Throws: `NotStarted` if the program cannot be started.
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
        // The program inherits nothing else. Otherwise the reader of a pipe would wait for its end until the program
        // ends.
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

    /// Blocks this thread until the program has ended.
    ///
    /// - Returns: The exit status, or 128 plus the number of the signal that ended the program, as in shells.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
        // The low seven bits are the number of the signal that ended it; the next eight are its exit status (waitpid).
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// The program could not be started.
    package struct NotStarted: Error {
        let command: [String]
        let reason: String
    }

    private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    /// `posix_spawn_file_actions_addclosefrom_np`, which glibc 2.34 provides but its headers hide from Swift.
    private static let closeFrom: CloseFrom? =
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map { unsafeBitCast($0, to: CloseFrom.self) }
}
