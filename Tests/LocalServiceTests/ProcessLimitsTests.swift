import Foundation
import LocalService
import Testing

@Suite struct ProcessLimitsTests {
    @Test func crashLeavesNoCoreFile() {
        ProcessLimits.disableCoreFiles()
        var limit = rlimit()
        #expect(getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0)
        #expect(limit.rlim_cur == 0)
    }

    @Test func processMayHaveAsManyFilesAsTheSystemAllows() {
        ProcessLimits.raiseOpenFiles()
        var limit = rlimit()
        #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        #expect(limit.rlim_cur == limit.rlim_max)
    }
}
