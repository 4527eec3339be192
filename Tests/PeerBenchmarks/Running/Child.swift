import Foundation
import Glibc
import Synchronization

/// A program that a benchmark runs, in a folder of its own.
///
/// The kernel kills it when the benchmark ends, however that happens.
final class Child {
    let process: pid_t
    let folder: URL
    private var isReaped = false

    private static let running = Mutex<Set<pid_t>>([])

    /// Starts a program, whose output goes to the files `output` and `log` of the folder.
    ///
    /// If the folder has a file `input`, it is the program's standard input.
    init(_ program: String, _ arguments: [String], in folder: URL) throws {
        self.folder = folder
        guard let path = Programs.path(of: program) else { throw NotInstalled(program: program) }
        process = try Self.spawn(["setpriv", "--pdeathsig", "KILL", "--", path] + arguments, in: folder)
        _ = Self.running.withLock { [process] in $0.insert(process) }
    }

    /// Kills all programs that run, when the benchmark is interrupted.
    static func killAll() {
        for process in running.withLock({ $0 }) { kill(process, SIGKILL) }
    }

    /// The time of all its threads on processors so far, in seconds, or 0 if it has ended.
    ///
    /// The clock counts nanoseconds; `/proc` has hundredths of a second, which are too few for short rounds.
    var processorTime: Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    var residentBytes: Int {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) << 10
    }

    /// The text that the program printed.
    var output: String {
        (try? String(contentsOf: folder.appending(path: "output"), encoding: .utf8)) ?? ""
    }

    /// Whether the program still runs.
    var isRunning: Bool {
        reap(WNOHANG) == nil && !isReaped
    }

    /// Waits until a condition is true.
    ///
    /// - Throws: a failure with the program's log if it ends, or if it takes longer than a minute.
    func wait(until condition: () -> Bool) throws {
        for _ in 0..<300_000 {
            if condition() { return }
            guard isRunning else { break }
            usleep(200)
        }
        let log = (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
        throw Failure("a program in \(folder.lastPathComponent) is not ready: \(output)\(log)")
    }

    /// Waits until the program ends by itself.
    func finish() throws {
        guard let status = reap(0) else { throw Failure("a program was already waited for") }
        guard status == 0 else { throw Failure("a program failed: \(output)") }
    }

    /// Waits until the program ends by itself, and returns the seconds for which its threads ran or waited for a
    /// processor.
    func finishMeasuring() throws -> Double {
        var time = 0.0
        while true {
            var information = siginfo_t()
            // The program stays in /proc until `finish` asks for its status. Its threads are gone before.
            waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
            guard information.si_signo == 0 else { break }
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
            time = max(time, threads.map { SchedulerTime.of("\(process)/task/\($0)") }.reduce(0, +))
            usleep(20_000)
        }
        try finish()
        return time
    }

    /// Ends the program.
    func stop() {
        kill(process, SIGTERM)
        for _ in 0..<6_000 where isRunning { usleep(5_000) }
        guard !isReaped else { return }
        kill(process, SIGKILL)
        _ = reap(0)
    }

    /// Returns the status of the program if it has just ended.
    private func reap(_ options: Int32) -> Int32? {
        guard !isReaped else { return nil }
        var status: Int32 = 0
        guard waitpid(process, &status, options) == process else { return nil }
        isReaped = true
        _ = Self.running.withLock { [process] in $0.remove(process) }
        return status
    }

    private static func spawn(_ words: [String], in folder: URL) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let input = folder.appending(path: "input").path
        let hasInput = access(input, R_OK) == 0
        posix_spawn_file_actions_addopen(&actions, 0, hasInput ? input : "/dev/null", O_RDONLY, 0)
        for (descriptor, name) in [(Int32(1), "output"), (2, "log")] {
            let path = folder.appending(path: name).path
            posix_spawn_file_actions_addopen(&actions, descriptor, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The benchmark blocks the signals that end it; its children must not.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
        var process = pid_t()
        let result = withCStrings(words) { words in
            withCStrings(environment) { posix_spawnp(&process, "setpriv", &actions, &attributes, words, $0) }
        }
        guard result == 0 else { throw Failure("\(words[4]): \(String(cString: strerror(result)))") }
        return process
    }

    private static func withCStrings<Result>(
        _ strings: [String],
        _ use: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return use(copies + [nil])
    }
}

/// The programs that the benchmarks run: those of this build, and those of the system.
enum Programs {
    /// Returns the path of a program, or `nil` if it is not installed.
    static func path(of name: String) -> String? {
        let own = Bundle.main.executableURL?.deletingLastPathComponent().path
        // Servers are in a folder that is not on every user's path.
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").components(separatedBy: ":")
        let folders = [own].compactMap(\.self) + path + ["/usr/sbin"]
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
