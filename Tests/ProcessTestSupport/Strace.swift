import WaypostTestSupport

/// The strace program, which traces system calls.
package enum Strace {
    /// Whether strace is installed and can trace.
    package static let works = ExternalCommand.succeeds(["strace", "-o", "/dev/null", "true"])

    /// Returns the beginning of a command that traces another one with all of its threads; append that command's
    /// arguments.
    package static func command(writing file: String) -> [String] {
        let calls = "read,recvfrom,write,writev,sendto,sendmsg,pwrite64,fdatasync,fsync"
        return ["strace", "-f", "-y", "-xx", "-s", "5000", "-e", "trace=\(calls)", "-e", "signal=none", "-o", file]
    }
}
