import Foundation
import Synchronization
import WaypostTestSupport

/// A named pipe that this process keeps open, so that other programs notice its end.
///
/// A program that reads the pipe gets the end of its input when this process ends, even if it is killed, or when
/// the lifeline ends.
final class Lifeline: Sendable {
    /// The path of the pipe.
    let path: String

    private let descriptor: Mutex<Int32?>

    /// Creates a pipe in a folder.
    init(in folder: ScratchFolder) throws {
        path = folder.path(of: "lifeline-\(UUID())")
        guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.EIO) }
        // A pipe that is opened for reading and writing does not wait for another program.
        let opened = open(path, O_RDWR | O_CLOEXEC)
        guard opened >= 0 else { throw POSIXError(.EIO) }
        descriptor = Mutex(opened)
    }

    deinit {
        end()
    }

    /// Closes the pipe.
    func end() {
        if let open = descriptor.withLock({ $0.take() }) { close(open) }
    }

    /// Returns the command that runs another command with this pipe as its standard input, and with its standard
    /// error appended to a file.
    func command(_ command: [String], log: String) -> [String] {
        ["sh", "-c", #"input=$1; log=$2; shift 2; exec "$@" <"$input" 2>>"$log""#, "sh", path, log] + command
    }
}
