import LocalService
import Testing

/// The memory that a process may use.
@Suite struct MemoryLimitTests {
    @Test func groupOfVersion2AndItsParentsAreRead() {
        #expect(
            MemoryLimit.controlGroupFiles(for: "0::/system.slice/waypost-gateway.service\n") == [
                "/sys/fs/cgroup/system.slice/waypost-gateway.service/memory.max",
                "/sys/fs/cgroup/system.slice/memory.max", "/sys/fs/cgroup/memory.max",
            ]
        )
    }

    @Test func memoryControllerOfVersion1IsRead() {
        let membership = "12:cpu,cpuacct:/docker/1\n9:memory:/docker/1\n1:name=systemd:/docker/1\n"
        #expect(
            MemoryLimit.controlGroupFiles(for: membership) == [
                "/sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/docker/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes",
            ]
        )
    }

    @Test(arguments: ["0::/", "0::/../..", "0::/../other.slice"]) func onlyTheRootIsSeenInANamespace(_ line: String) {
        #expect(MemoryLimit.controlGroupFiles(for: line) == ["/sys/fs/cgroup/memory.max"])
    }

    @Test(arguments: ["", "\n", "memory", "1:2", "1:cpu:/a"]) func otherLinesHaveNoLimit(_ line: String) {
        #expect(MemoryLimit.controlGroupFiles(for: line).isEmpty)
    }

    @Test(arguments: [("536870912\n", 512 << 20), ("0", 0), ("max\n", nil), ("", nil), ("-1", nil), ("1e9", nil)])
    func limitIsANumberOfBytes(_ contents: String, _ limit: Int?) {
        #expect(MemoryLimit.controlGroupLimit(contents) == limit)
    }

    @Test func lowestLimitCounts() {
        let unlimited = 9_223_372_036_854_771_712
        #expect(MemoryLimit(machine: 8 << 30).bytes == 8 << 30)
        #expect(MemoryLimit(controlGroups: [unlimited, 1 << 30, 2 << 30], machine: 8 << 30).bytes == 1 << 30)
        #expect(MemoryLimit(controlGroups: [unlimited], machine: 8 << 30).bytes == 8 << 30)
        #expect(MemoryLimit(controlGroups: [1 << 30], addressSpace: 1 << 30, machine: 8 << 30).bytes == 768 << 20)
        #expect(MemoryLimit(addressSpace: 1 << 20, machine: 8 << 30).bytes == 0)
    }

    @Test func thisProcessMayUseMemory() {
        #expect(MemoryLimit.ofThisProcess().bytes > 0)
    }
}
