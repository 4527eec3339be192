import Foundation
import Glibc

extension Machine {
    /// The processor, the number of threads and the sizes of the caches.
    ///
    /// Ratios differ between kinds of machines, so they are stored for each kind.
    static var kind: String {
        "\(processor), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) threads, \(caches)"
    }

    /// The model of the first processor, with the numbers of its family and model, because its name may be general.
    private static var processor: String {
        let lines = contents(of: "/proc/cpuinfo").split(separator: "\n").map { line in
            line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        }
        func value(_ name: String) -> String? {
            lines.first { $0.count == 2 && $0[0] == name }?[1]
        }
        guard let name = value("model name") else { return "unknown processor" }
        return "\(name) (family \(value("cpu family") ?? "unknown"), model \(value("model") ?? "unknown"))"
    }

    private static var caches: String {
        let folder = "/sys/devices/system/cpu/cpu0/cache"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let caches = names.sorted().filter { $0.hasPrefix("index") }.map { name in
            let fields = ["level", "type", "size"].map { contents(of: "\(folder)/\(name)/\($0)") }
            let suffix = ["Data": "d", "Instruction": "i"][fields[1]] ?? ""
            return "L\(fields[0])\(suffix) \(fields[2].isEmpty ? "unknown" : fields[2])"
        }
        return caches.isEmpty ? "unknown caches" : caches.joined(separator: ", ")
    }

    /// Returns the contents of a file of the kernel, or an empty string.
    private static func contents(of path: String) -> String {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
