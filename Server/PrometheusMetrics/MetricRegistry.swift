internal import Synchronization

/// All metrics of one gateway, by name.
final class MetricRegistry: Sendable {
    /// The series of one name.
    private struct MetricFamily {
        var description: MetricDescription
        var series: [MetricLabels: any MetricSeries] = [:]
    }

    private let families = Mutex<[String: MetricFamily]>([:])

    /// Sets the descriptions of metrics; a metric that is already in use keeps its description.
    func describe(_ descriptions: [MetricDescription]) {
        families.withLock { families in
            for description in descriptions {
                let series = families[description.name]?.series ?? [:]
                guard series.isEmpty else { continue }
                families[description.name] = MetricFamily(description: description)
            }
        }
    }

    /// Returns the series with a name and labels, or a new one from `makeSeries`.
    ///
    /// A name has one type. A request for another type gets a series that counts but is not exported.
    ///
    /// - Parameters:
    ///   - label: the name, as passed to swift-metrics.
    ///   - dimensions: the labels.
    ///   - kind: the kind of the metric if it has no description.
    ///   - makeSeries: creates the series of the metric's kind.
    /// - Returns: the series.
    func series<Series: MetricSeries>(
        _ label: String,
        _ dimensions: [(String, String)],
        kind: MetricDescription.Kind,
        makeSeries: (MetricDescription.Kind) -> Series
    ) -> Series {
        let name = MetricName.metric(label)
        let labels = MetricLabels(dimensions)
        return families.withLock { families in
            var family = families[name] ?? MetricFamily(description: MetricDescription(name, kind, help: name))
            if let series = family.series[labels] as? Series { return series }
            guard family.description.kind.isOfSameType(as: kind) else { return makeSeries(kind) }
            let series = makeSeries(family.description.kind)
            family.series[labels] = series
            families[name] = family
            return series
        }
    }

    /// Removes a series.
    func remove(_ series: AnyObject) {
        families.withLock { families in
            for (name, family) in families {
                guard let labels = family.series.first(where: { $0.value === series })?.key else { continue }
                families[name]?.series[labels] = nil
            }
        }
    }

    /// All metrics in the text format, sorted by name and labels.
    var text: String {
        let families = families.withLock { $0 }
        let lines = families.sorted { $0.key < $1.key }
            .flatMap { name, family in
                TextFormat.headerLines(family.description)
                    + family.series.sorted { $0.key < $1.key }.flatMap { $0.value.lines(name, $0.key) }
            }
        return lines.map { $0 + "\n" }.joined()
    }
}
