import Testing

@testable import LoadTesting

@Suite struct LoadStopRequestTests {
    @Test func everyWaitEndsWithTheRequest() async {
        let stopRequest = LoadStopRequest()
        await withTaskGroup { tasks in
            for _ in 0..<3 { tasks.addTask { await stopRequest.wait() } }
            stopRequest.request()
        }
        #expect(stopRequest.isRequested)
        await stopRequest.wait()
    }

    @Test func canceledWaitDoesNotEndALaterOne() async {
        let stopRequest = LoadStopRequest()
        await withTaskGroup { tasks in
            tasks.addTask { await stopRequest.wait() }
            tasks.cancelAll()
        }
        let ended = await withTaskGroup(of: Bool.self) { tasks in
            tasks.addTask {
                await stopRequest.wait()
                return stopRequest.isRequested
            }
            // The wait is over only after the request.
            tasks.addTask {
                stopRequest.request()
                return true
            }
            return await tasks.reduce(true) { $0 && $1 }
        }
        #expect(ended)
    }
}
