import Foundation
import LoadTesting

extension FuzzTarget {
    /// Two results of load tests as JSON.
    static let loadResults = FuzzTarget(
        name: "load-results",
        summary: "results of load tests; each is the same when it is read again, and no worse than itself"
    ) { bytes in
        var input = SeparatedInput(bytes)
        guard let result = try? LoadResult(json: input.next()) else { return }
        let read = (try? JSONEncoder().encode(result)).flatMap { try? LoadResult(json: Array($0)) }
        let again = read.flatMap { try? JSONEncoder().encode($0) }.flatMap { try? LoadResult(json: Array($0)) }
        promise(again != nil && again == read, "a result is the same when it is written and read", found: result)
        let other = (try? LoadResult(json: input.next())) ?? result
        promise(
            !LoadComparison(result, result, tolerance: 0).isWorse,
            "a result is not worse than itself",
            found: result
        )
        _ = (LoadComparison(result, other, tolerance: 0.05), result.percentileText)
        guard let merged = LoadResult(merging: [result, other]) else {
            return promise(false, "results can be added up", found: (result, other))
        }
        for reported in [result, merged] {
            promise(LoadReport(reported).html.hasPrefix("<!DOCTYPE html>"), "a result has a report", found: reported)
        }
    }
}
