import Testing

@testable import LoadTesting

@Suite struct LoadStopTests {
    @Test func everyWaitEndsWithTheRequest() async {
        let stop = LoadStop()
        await withTaskGroup { tasks in
            for _ in 0..<3 { tasks.addTask { await stop.wait() } }
            stop.request()
        }
        #expect(stop.isRequested)
        await stop.wait()
    }

    @Test func canceledWaitDoesNotEndALaterOne() async {
        let stop = LoadStop()
        await withTaskGroup { tasks in
            tasks.addTask { await stop.wait() }
            tasks.cancelAll()
        }
        let ended = await withTaskGroup(of: Bool.self) { tasks in
            tasks.addTask {
                await stop.wait()
                return stop.isRequested
            }
            // The wait is over only after the request.
            tasks.addTask {
                stop.request()
                return true
            }
            return await tasks.reduce(true) { $0 && $1 }
        }
        #expect(ended)
    }
}
