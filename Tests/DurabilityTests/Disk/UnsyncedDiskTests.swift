import Foundation
import ProcessTestSupport
import Testing
import WaypostTestSupport

extension DurabilityTests {
    /// The disk that forgets unsynced writes, under small programs in Python.
    @Suite(.timeLimit(.minutes(5))) struct UnsyncedDiskTests {
        private static let seeds = UInt64(0)..<16

        /// The start of each script.
        private static let start = """
            import os, signal, sys
            folder = os.open(sys.argv[1], os.O_RDONLY)
            file = os.open(sys.argv[1] + "/file", os.O_RDWR | os.O_CREAT)
            def write(bytes, offset=0): os.pwrite(file, bytes, offset)
            def fail():
                os.kill(os.getpid(), signal.SIGUSR2)
                while True: signal.pause()

            """

        /// Writes `a` and syncs it, writes `b`, and lets the power fail.
        private static let overwriting = """
            write(b"a" * 4096); os.fsync(file); os.fsync(folder)
            write(b"b" * 4096)
            fail()
            """

        /// Runs a script on disks with many seeds, each time in a new folder and until the power fails.
        ///
        /// - Parameters:
        ///   - script: The script, with the open file `file` in the open folder `folder`.
        ///   - change: Changes the behavior of the disk.
        /// - Returns: The bytes of the file after each run; `nil` if it is gone.
        /// - Throws: An error if the script cannot be run.
        private func runs(
            _ script: String,
            _ change: (inout UnsyncedDisk.Settings) -> Void = { _ in }
        ) async throws -> [[UInt8]?] {
            let scratch = try ScratchFolder()
            let disk = try await UnsyncedDisk("data", in: scratch.path)
            var results: [[UInt8]?] = []
            for seed in Self.seeds {
                var settings = UnsyncedDisk.Settings(seed: seed)
                change(&settings)
                try FileManager.default.createDirectory(atPath: disk.folder, withIntermediateDirectories: true)
                let ended = try await run(script, on: disk, settings)
                #expect(ended.status == 128 + SIGKILL, "\(ended.errors)")
                let hasFailed = try disk.restore()
                #expect(hasFailed)
                results.append(FileManager.default.contents(atPath: disk.folder + "/file").map { [UInt8]($0) })
                try FileManager.default.removeItem(atPath: disk.folder)
            }
            return results
        }

        /// Runs a script, and returns how it ended.
        private func run(
            _ script: String,
            on disk: UnsyncedDisk,
            _ settings: UnsyncedDisk.Settings
        ) async throws -> ChildProcess.Ended {
            let command = ["/usr/bin/python3", "-c", Self.start + script, disk.folder]
            return try await ChildProcess(disk.wrap(command, settings)).ended()
        }

        /// Returns the sectors of a file, each of which must have the same byte everywhere.
        private func sectors(_ bytes: [UInt8]) -> String {
            let sectors = stride(from: 0, to: bytes.count, by: 512).map { bytes[$0..<min($0 + 512, bytes.count)] }
            #expect(sectors.allSatisfy { Set($0).count == 1 })
            return String(decoding: sectors.compactMap(\.first), as: UTF8.self)
        }

        @Test func unsyncedSectorsAreOldOrNew() async throws {
            let results = Set(try await runs(Self.overwriting).map { sectors($0 ?? []) })
            #expect(results.allSatisfy { $0.count == 8 && Set($0).isSubset(of: ["a", "b"]) })
            #expect(results.isSuperset(of: ["aaaaaaaa", "bbbbbbbb"]))
            #expect(results.contains { Set($0).count == 2 })
        }

        @Test func syncedBytesStay() async throws {
            let script = """
                write(b"a" * 4096); os.fdatasync(file); os.fsync(folder)
                write(b"b" * 1024, 4096); os.ftruncate(file, 5000)
                os.ftruncate(file, 512)
                fail()
                """
            for result in try await runs(script) {
                let bytes = try #require(result)
                #expect(bytes.count >= 512 && bytes.prefix(512).allSatisfy { $0 == UInt8(ascii: "a") })
            }
            let synced = "write(b'a' * 4096); os.fsync(file); os.fsync(folder); fail()"
            #expect(try await runs(synced).allSatisfy { $0 == [UInt8](repeating: UInt8(ascii: "a"), count: 4096) })
        }

        @Test func fileIsCutAsAWhole() async throws {
            let script = """
                write(b"a" * 8192); os.fsync(file); os.fsync(folder)
                os.ftruncate(file, 0)
                write(b"b" * 1024)
                fail()
                """
            let results = Set(try await runs(script).map { sectors($0 ?? []) })
            #expect(results.isSuperset(of: ["aaaaaaaaaaaaaaaa", ""]))
            #expect(results.filter { $0.contains("a") }.count == 1)
        }

        @Test func newFileMayBeGoneUntilItsFolderIsSynced() async throws {
            let results = try await runs("write(b'a' * 512); os.fsync(file); fail()")
            #expect(results.contains { $0 == nil } && results.contains { $0?.count == 512 })
        }

        @Test func removedAndRenamedFilesMayComeBack() async throws {
            let script = """
                write(b"a" * 512); os.fsync(file); os.fsync(folder)
                other = os.open(sys.argv[1] + "/other", os.O_RDWR | os.O_CREAT)
                os.pwrite(other, b"b" * 1024, 0); os.fsync(other); os.fsync(folder)
                os.rename(sys.argv[1] + "/other", sys.argv[1] + "/file")
                os.unlink(sys.argv[1] + "/file")
                fail()
                """
            let results = Set(try await runs(script).map { $0.map(sectors) ?? "gone" })
            #expect(results == ["a", "bb", "gone"])
        }

        /// Writes a file twice; the second sync of its contents fails.
        private static let failedSync = """
            write(b"a" * 4096); os.fsync(file); os.fsync(folder)
            write(b"b" * 4096)
            try: os.fsync(file)
            except OSError as error: assert error.errno == 5
            else: assert False

            """

        @Test func syncThatFailedIsNotMadeUpFor() async throws {
            let results = try await runs(Self.failedSync + "os.fsync(file)\nfail()") {
                $0.error = UnsyncedDisk.InjectedError(.sync, first: 3, count: 1, code: EIO)
            }
            #expect(results.contains { $0?.contains(UInt8(ascii: "a")) == true })
        }

        @Test func nextProgramReadsWhatAFailedSyncHasLost() async throws {
            let next = """
                assert os.pread(file, 4096, 0) == b"b" * 4096
                write(b"c" * 512, 512); os.fsync(file)
                fail()
                """
            let scratch = try ScratchFolder()
            let disk = try await UnsyncedDisk("data", in: scratch.path)
            try FileManager.default.createDirectory(atPath: disk.folder, withIntermediateDirectories: true)
            for isForgotten in [false, true] {
                var settings = UnsyncedDisk.Settings(seed: 1)
                settings.error = UnsyncedDisk.InjectedError(.sync, first: 3, count: 1, code: EIO)
                let failed = try await run(Self.failedSync, on: disk, settings)
                #expect(failed.status == 0, "\(failed.errors)")
                if isForgotten { try disk.forgetFailedSyncs() }
                let ended = try await run(next, on: disk, UnsyncedDisk.Settings(seed: 2))
                #expect(ended.status == 128 + SIGKILL, "\(ended.errors)")
                let hasFailed = try disk.restore()
                #expect(hasFailed)
                let bytes = try #require(FileManager.default.contents(atPath: disk.folder + "/file"))
                #expect(sectors([UInt8](bytes)) == (isForgotten ? "bcbbbbbb" : "acaaaaaa"))
            }
        }

        @Test func writeBeyondTheRoomFails() async throws {
            let script = """
                write(b"a" * 4096)
                try: write(b"b" * 4096, 4096)
                except OSError as error: assert error.errno == 28
                else: assert False
                os.fsync(file); os.fsync(folder)
                fail()
                """
            let results = try await runs(script) { $0.room = 6_000 }
            #expect(results.allSatisfy { $0?.count == 4096 })
        }

        @Test func powerFailsAtTheChosenSync() async throws {
            for failure in [UnsyncedDisk.Failure.beforeSync(3), .afterSync(2)] {
                let results = try await runs(Self.overwriting.replacing("fail()", with: "os.fsync(file)")) {
                    $0.failure = failure
                }
                #expect(results.allSatisfy { $0?.count == 4096 })
            }
        }
    }
}
