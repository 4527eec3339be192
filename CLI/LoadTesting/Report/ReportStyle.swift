/// The style sheet of a report.
///
/// The colors of lines differ for color-blind people too, and have a contrast of at least 3:1 with the page; text has
/// at least 4.5:1. Colors for the dark are only for screens, so that a report prints on white paper.
enum ReportStyle {
    static let css: HTML = """
        :root {
        color-scheme: light dark;
        --page: #fff; --ink: #1b1d21; --dim: #5a606a; --rule: #d9dce1; --grid: #e6e8ec; --shade: #f1f2f4;
        --good: #0a6637; --good-page: #eaf6ee; --bad: #a31d17; --bad-page: #fdeeec; --care: #754700;
        --care-page: #fff5e0;
        --accepted: #009e73; --delivered: #0072b2; --acknowledged: #d55e00; --offered: #7d838d; --only: #4a5568;
        --p50: #4f93d2; --p99: #0b5cad; --max: #0a2b52; --fourth: #a64d94; --fifth: #8a6d00;
        }
        @media screen and (prefers-color-scheme: dark) {
        :root {
        --page: #16181c; --ink: #e8eaed; --dim: #a4abb6; --rule: #3a3f47; --grid: #2b2f36; --shade: #212429;
        --good: #6fd39b; --good-page: #14281d; --bad: #ff9a92; --bad-page: #331a19; --care: #f0c069;
        --care-page: #2e2511;
        --accepted: #2fc49a; --delivered: #56a8f0; --acknowledged: #f5a04a; --offered: #969da8; --only: #b4bccb;
        --p50: #3f7fc4; --p99: #7fbdf8; --max: #dcebfb; --fourth: #e08fcf; --fifth: #d6c25a;
        }
        }
        * { box-sizing: border-box; }
        body { max-width: 64rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; background: var(--page); color: var(--ink);
        font: 0.9375rem/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
        h1, h2, h3, p, dl, dd, ul, figure { margin: 0; padding: 0; }
        h1 { font-size: 1.75rem; line-height: 1.25; }
        h2 { font-size: 1.25rem; line-height: 1.3; margin-bottom: 0.5rem; }
        h3 { font-size: 1rem; line-height: 1.4; }
        small { font-size: 0.8125rem; font-weight: normal; color: var(--dim); }
        section { margin-top: 2.5rem; }
        header p, section > p, .note { color: var(--dim); max-width: 46rem; }
        .kind { font-size: 0.8125rem; }
        .note { font-size: 0.8125rem; margin-top: 0.25rem; }
        p:not(.note) + .note { margin-top: 1rem; }
        .verdict, .warnings { margin-top: 1.25rem; padding: 0.75rem 1rem; border-left: 4px solid; border-radius: 4px; }
        .verdict { color: var(--mark); background: var(--fill); }
        .verdict p { color: inherit; max-width: none; }
        .verdict strong { font-size: 1.25rem; }
        .verdict strong::before { content: var(--sign); }
        .plain { --mark: var(--ink); --fill: var(--shade); --sign: ""; }
        .good { --mark: var(--good); --fill: var(--good-page); --sign: "✓ "; }
        .bad { --mark: var(--bad); --fill: var(--bad-page); --sign: "✗ "; }
        .care { --mark: var(--care); --fill: var(--care-page); --sign: "! "; }
        .warnings { border-color: var(--care); background: var(--care-page); }
        .warnings h2 { font-size: 1rem; color: var(--care); margin: 0; }
        .warnings ul { padding-left: 1.125rem; }
        .figures { display: grid; grid-template-columns: repeat(6, 1fr); gap: 1.25rem 1rem; margin-top: 1.75rem; }
        .figures dt { font-size: 0.8125rem; color: var(--dim); }
        .figures dd data { font-size: 1.625rem; line-height: 1.25; font-weight: 600; white-space: nowrap; }
        .figures dd small { display: block; }
        table { border-collapse: collapse; }
        th, td { padding: 0.3125rem 0 0.3125rem 1.5rem; text-align: right; vertical-align: top; font-weight: normal;
        border-bottom: 1px solid var(--rule); }
        th:first-child { padding-left: 0; text-align: left; }
        thead th { color: var(--dim); font-size: 0.8125rem; vertical-align: bottom; }
        td data, .latencies th { white-space: nowrap; }
        code { font: 0.875em/1.4 ui-monospace, monospace; }
        .met { color: var(--good); }
        .missed { color: var(--bad); font-weight: 600; }
        .lost { columns: 18rem; list-style: none; margin-top: 0.5rem; }
        .settings { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 0 2.5rem; }
        .settings table { width: 100%; }
        .settings td { text-align: left; }
        .settings th { color: var(--dim); width: 40%; }
        .latencies { display: grid; grid-template-columns: auto 1fr; gap: 2rem; margin-top: 1rem; align-items: start; }
        .latencies figure { margin-top: 0; min-width: 0; }
        .latencies .plot { height: 15rem; }
        figure { padding-bottom: 1.75rem; margin-top: 1.25rem; break-inside: avoid; }
        figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.5rem; }
        .legend { display: flex; flex-wrap: wrap; gap: 0 1rem; list-style: none; font-size: 0.8125rem; }
        .key { display: inline-block; width: 1.125rem; margin-right: 0.375rem; vertical-align: middle;
        border-top: 3px solid var(--line); print-color-adjust: exact; }
        .plot { display: block; overflow: visible; width: calc(100% - 5.5rem); height: 9rem; margin: 1.5rem 1.5rem 0 4rem;
        print-color-adjust: exact; }
        .plot svg { overflow: visible; }
        .plot text { font-size: 0.75rem; fill: var(--dim); }
        .plot .x { text-anchor: middle; transform: translateY(1.125rem); }
        .plot .y { text-anchor: end; transform: translate(-0.5rem, 0.25rem); }
        .plot text.shade { transform: translateY(-0.3125rem); }
        .grid { stroke: var(--grid); }
        rect.shade { fill: var(--shade); }
        .part { fill: transparent; }
        .part:hover { fill: var(--ink); fill-opacity: 0.08; }
        .line { fill: none; stroke: var(--line); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round;
        vector-effect: non-scaling-stroke; }
        .accepted { --line: var(--accepted); }
        .delivered, .queue-1 { --line: var(--delivered); }
        .acknowledged, .queue-2 { --line: var(--acknowledged); }
        .offered { --line: var(--offered); }
        #chart-throughput .offered { stroke-width: 7; border-width: 7px; }
        #chart-throughput .accepted { stroke-width: 5; border-width: 5px; }
        #chart-throughput .delivered { stroke-width: 3; border-width: 3px; }
        #chart-throughput .acknowledged { stroke-width: 1; border-width: 1px; }
        .queue-3 { --line: var(--accepted); }
        .queue-4 { --line: var(--fourth); border-top-style: dashed; stroke-dasharray: 6 4; }
        .queue-5 { --line: var(--fifth); border-top-style: dotted; stroke-dasharray: 1 4; }
        .p50 { --line: var(--p50); }
        .p99 { --line: var(--p99); }
        .max { --line: var(--max); stroke-width: 1.25; }
        .line.dots { stroke-width: 4; stroke-dasharray: none; }
        .only { --line: var(--only); }
        .errors { --line: var(--bad); }
        @media (max-width: 48rem) {
        body { padding: 1.25rem 1rem 3rem; }
        .latencies { display: block; }
        .latencies table { width: 100%; margin-bottom: 1.5rem; }
        td, th:not(:first-child) { padding-left: 0.75rem; }
        .latencies th .key { display: block; margin: 0 0 0.25rem auto; }
        .figures { grid-template-columns: repeat(3, 1fr); }
        }
        @media (max-width: 30rem) {
        .figures { grid-template-columns: 1fr 1fr; }
        }
        @media print {
        :root { color-scheme: light; }
        body { max-width: none; padding: 0; font-size: 10pt; }
        section { margin-top: 1.5rem; }
        .verdict, .warnings { print-color-adjust: exact; }
        }
        """
}
