internal import Foundation

/// The limits on the memory of a process: those of its control groups, of the process itself, and of the machine.
package struct MemoryLimit: Sendable, Equatable {
    /// The limits of the control groups to which the process belongs, in bytes.
    package var controlGroups: [Int]

    /// The limit on the address space of the process (`RLIMIT_AS`) in bytes; `nil` for none.
    package var addressSpace: Int?

    /// The memory of the machine in bytes.
    package var machine: Int

    /// The address space that a process needs beyond its memory: stacks of threads, libraries and reserved arenas.
    private static let reservedAddressSpace = 256 << 20

    /// Creates the value from its parts.
    package init(controlGroups: [Int] = [], addressSpace: Int? = nil, machine: Int) {
        self.controlGroups = controlGroups
        self.addressSpace = addressSpace
        self.machine = machine
    }

    /// The bytes of memory that the process may use: the lowest of the limits.
    package var bytes: Int {
        let usableAddressSpace = addressSpace.map { max(0, $0 - Self.reservedAddressSpace) }
        return min(machine, controlGroups.min() ?? machine, usableAddressSpace ?? machine)
    }
}

extension MemoryLimit {
    /// Returns the limits of this process.
    package static func ofThisProcess() -> Self {
        let membership = contents(of: "/proc/self/cgroup") ?? ""
        return Self(
            controlGroups: controlGroupFiles(for: membership).compactMap { path in
                contents(of: path).flatMap(controlGroupLimit)
            },
            addressSpace: addressSpaceLimit(),
            machine: Int(clamping: ProcessInfo.processInfo.physicalMemory)
        )
    }

    /// Returns the paths of the files with the limits of a process, its own groups first, then their parents.
    ///
    /// A path that leaves the namespace of the process (`..`) names groups that it cannot see, so only the root counts.
    ///
    /// - Parameter membership: the content of `/proc/self/cgroup`, whose lines are `NUMBER:CONTROLLERS:PATH`; the line
    ///   of version 2 has no controllers.
    /// - Returns: the paths.
    package static func controlGroupFiles(for membership: String) -> [String] {
        membership.split(separator: "\n").flatMap { line -> [String] in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return [] }
            if fields[1].isEmpty { return paths(of: fields[2], in: "/sys/fs/cgroup", file: "memory.max") }
            guard fields[1].split(separator: ",").contains("memory") else { return [] }
            return paths(of: fields[2], in: "/sys/fs/cgroup/memory", file: "memory.limit_in_bytes")
        }
    }

    /// Returns the limit in a file of a control group; `nil` for `max`, and for what is not a number.
    package static func controlGroupLimit(_ contents: String) -> Int? {
        Int(contents.trimmingCharacters(in: .whitespacesAndNewlines)).flatMap { $0 >= 0 ? $0 : nil }
    }

    private static func paths(of group: Substring, in root: String, file: String) -> [String] {
        var names = group.split(separator: "/")
        if names.contains("..") { names = [] }
        return (0...names.count).reversed().map { count in
            ([Substring(root)] + names.prefix(count) + [Substring(file)]).joined(separator: "/")
        }
    }

    private static func contents(of path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8)
    }

    private static func addressSpaceLimit() -> Int? {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return nil }
        // No limit is the greatest number, which no `Int` has.
        return Int(exactly: limit.rlim_cur)
    }
}
