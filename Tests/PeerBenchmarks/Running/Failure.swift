import Glibc

/// The description of a failure.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Describes the failure of a system call that has just returned.
    init(call: String) {
        description = "\(call): \(String(cString: strerror(errno)))"
    }
}

/// The error of a benchmark whose peer is not installed.
struct NotInstalled: Error, CustomStringConvertible {
    let program: String

    var description: String { "\(program) is not installed" }
}
