import Testing

extension DurabilityTests {
    /// Evidence that the check of traces can fail: it accepts one valid trace, and finds the error in each invalid one.
    @Suite(.timeLimit(.minutes(5))) struct SyncTraceCheckTests {
        @Test func syncedAnswersAreAccepted() {
            let trace = SyncTrace(Self.trace.calls)
            #expect(trace.findings.isEmpty)
            #expect(trace.batches == 2 && trace.acknowledgements == 1)
        }

        @Test func missingSyncIsReported() {
            let calls = Self.trace.calls.filter { $0.name != "fdatasync" }
            #expect(SyncTrace(calls).findings.count == 3)
        }

        @Test func failedSyncIsReported() {
            #expect(
                Self.findings {
                    $0.commit("first")
                    $0.sync(result: -1)
                    $0.receipt("first")
                } == 1
            )
        }

        @Test func syncAfterTheAnswerIsReported() {
            #expect(
                Self.findings {
                    $0.commit("first")
                    $0.receipt("first")
                    $0.sync()
                } == 1
            )
        }

        @Test func syncBeforeTheCommitIsReported() {
            let findings = Self.findings { trace in
                trace.sync()
                trace.commit("first")
                trace.receipt("first")
            }
            #expect(findings == 1)
        }

        @Test func syncThatBeganBeforeTheLastWriteIsReported() {
            let findings = Self.findings { trace in
                trace.begin("fdatasync", MadeUpTrace.log, thread: 5)
                trace.commit("first")
                trace.end("fdatasync", thread: 5)
                trace.receipt("first")
            }
            #expect(findings == 1)
        }

        @Test func syncThatEndsAfterTheAnswerIsReported() {
            let findings = Self.findings { trace in
                trace.commit("first")
                trace.begin("fdatasync", MadeUpTrace.log, thread: 5)
                trace.receipt("first")
                trace.end("fdatasync", thread: 5)
            }
            #expect(findings == 1)
        }

        @Test func syncOfAnotherFileDoesNotCount() {
            let findings = Self.findings { trace in
                trace.commit("first")
                trace.call("fdatasync", "/data/waypost.sqlite")
                trace.receipt("first")
            }
            #expect(findings == 1)
        }

        @Test func batchThatWasNeverWrittenIsReported() {
            #expect(
                Self.findings {
                    $0.commit("another")
                    $0.sync()
                    $0.receipt("first")
                } == 1
            )
        }

        @Test func commitBeforeAnAcknowledgementDoesNotCount() {
            var trace = MadeUpTrace()
            trace.commit("something")
            trace.ask("POST /v1/acks")
            trace.sync()
            trace.answer(#"{"acknowledged":1}"#)
            #expect(SyncTrace(trace.calls).findings.count == 1)
        }

        @Test func refusedBatchNeedsNoSync() {
            #expect(Self.findings { $0.answer(#"{"error":{}}"#, status: 503) } == 0)
        }

        private static func findings(_ add: (inout MadeUpTrace) -> Void) -> Int {
            var trace = MadeUpTrace()
            trace.ask("POST /v1/batches?results=all")
            add(&trace)
            return SyncTrace(trace.calls).findings.count
        }

        /// Two concurrent batches in one commit, and an acknowledgement.
        private static var trace: MadeUpTrace {
            var trace = MadeUpTrace()
            trace.ask("POST /v1/batches", socket: 1)
            trace.ask("POST /v1/batches", socket: 2)
            trace.commit("first, second", pages: 3)
            trace.begin("fdatasync", MadeUpTrace.log, thread: 5)
            trace.ask("GET /health", socket: 3)
            trace.end("fdatasync", thread: 5)
            trace.receipt("first", socket: 1)
            trace.receipt("second", socket: 2)
            trace.ask("POST /v1/acks", socket: 4)
            trace.commit("gone")
            trace.sync()
            trace.answer(#"{"acknowledged":1}"#, socket: 4)
            return trace
        }
    }
}
