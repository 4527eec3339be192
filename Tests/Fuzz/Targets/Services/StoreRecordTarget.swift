import Foundation
import LocalFiles

@testable import GatewayStore

extension FuzzTarget {
    /// Choices, and the bytes of the file `commits`, of the header of a database, or of a backup.
    static let storeRecords = FuzzTarget(
        name: "store-records",
        summary: "the files of a store that are not SQLite's; what is written is read, and a changed bit is found"
    ) { bytes in
        var input = SeparatedInput(bytes)
        var choices = input.nextChoices()
        let content = Array(bytes.drop { $0 != 0xFF }.dropFirst())
        if let record = CommitRecord(bytes: content) { check(record, &choices) }
        let record = CommitRecord(&choices)
        check(record, &choices)
        if let header = FileHeader(bytes: content) {
            promise(header.databaseSize >= 0, "a database has a size", found: header)
        }
        checkBackup(of: content, &choices)
    }

    private static func check(_ record: CommitRecord, _ choices: inout InputChoices) {
        var bytes = record.bytes
        promise(CommitRecord(bytes: bytes) == record, "a record is the same when it is read", found: record)
        damage(&bytes, &choices)
        promise(CommitRecord(bytes: bytes) == nil, "a damaged record is none", found: (record, bytes))
    }

    private static func checkBackup(of database: [UInt8], _ choices: inout InputChoices) {
        let folder = ScratchMemory()
        let path = folder.write(database, to: "backup")
        guard let file = try? OpenFile(path: path, O_RDWR) else { endUnprepared("a file cannot be opened") }
        do {
            _ = try BackupTrailer.check(file)
            try file.rewind()
            try BackupTrailer.append(to: file)
            let isMatching = try BackupTrailer.check(file) == .matching
            promise(isMatching, "a backup has the digest that was written")
            try file.rewind()
            var bytes = try file.read()
            damage(&bytes, &choices)
            let damagedFile = try OpenFile(path: folder.write(bytes, to: "damaged"))
            let isFound = try BackupTrailer.check(damagedFile) != .matching
            promise(isFound, "a damaged backup does not match", found: bytes)
        } catch {
            endUnprepared("a file cannot be read or written: \(error)")
        }
    }

    /// Changes bits of one byte.
    private static func damage(_ bytes: inout [UInt8], _ choices: inout InputChoices) {
        let (offset, mask) = (choices.number() % bytes.count, max(choices.byte(), 1))
        bytes[offset] ^= mask
    }
}

extension CommitRecord {
    /// Creates a record of small numbers.
    fileprivate init(_ choices: inout InputChoices) {
        let counters = StoreCounters(
            commitCount: choices.number(),
            lastSequence: choices.number(),
            lastAgentNumber: choices.number(),
            lastBatchNumber: choices.number()
        )
        self.init(counters: counters, isCheckpointing: choices.bool(), hasFailedSync: choices.bool())
    }
}
