"""Tests of the mutants: `python3 -m unittest discover --start-directory Tests/Mutants`."""

import json
import pathlib
import re
import tempfile
import types
import unittest

import swift_tokens
from choice import Equivalents, choose, ordered
from mutants import Results, summary
from sites import Site, find_sites, rewrite
from suites import Suites, descendants, failed_test, skip_pattern, test_targets
from switches import Tree

root = pathlib.Path(__file__).resolve().parents[2]


def in_function(*lines):
    return "func f() {\n" + "".join(f"    {line}\n" for line in lines) + "}\n"


def sites(source, kind=None):
    return [site for site in find_sites("Core/Clowns/Crusty.swift", source) if kind in (None, site.kind)]


def mutations(source, kind=None):
    return [site.mutation for site in sites(source, kind)]


def rewritten(line, kind):
    """The only line of a function with the only mutant of a kind."""
    source = in_function("start()", line, "finish()")
    found = [site for site in sites(source, kind) if site.line == 3]
    if len(found) != 1:
        raise AssertionError(f"{line}: {[site.mutation for site in found]}")
    return rewrite(source, [(7, found[0])]).split("\n")[2].strip()


class TokenTests(unittest.TestCase):
    def texts(self, source):
        return [token.text for token in swift_tokens.split(source)]

    def test_strings_with_interpolations_are_one_token(self):
        for string in ['"a \\(b("c)")) d"', '#"a "b" \\(c) \\#(d("e"))"#', '"""\n  a "b" \\(c)\n  """', '""', '#""""#']:
            self.assertEqual(self.texts(f"x = {string} + y"), ["x", "=", string, "+", "y"])

    def test_comments_are_no_tokens(self):
        self.assertEqual(self.texts("a // b < c\n/* d /* e */ f */ g"), ["a", "g"])

    def test_regular_expressions_are_one_token(self):
        self.assertEqual(self.texts("a(of: /[^/]x\\/b<c/)")[:4], ["a", "(", "of", ":"])
        self.assertEqual(self.texts("return #/a/b < c/#"), ["return", "#/a/b < c/#"])
        self.assertEqual(self.texts("a / b / c"), ["a", "/", "b", "/", "c"])

    def test_ranges_members_and_indices_are_told_apart(self):
        self.assertEqual(self.texts("0..<a.1"), ["0", "..<", "a", ".", "1"])
        tokens = swift_tokens.split("a.1 + 1.5e3 + 0x1p-53")
        self.assertEqual([token.kind for token in tokens[2::2]], ["index", "number", "number"])

    def test_lines_are_counted_through_strings(self):
        tokens = swift_tokens.split('a\n"""\n b\n """\nc')
        self.assertEqual([(token.line, token.end_line) for token in tokens], [(1, 1), (2, 4), (5, 5)])

    def test_open_brackets_are_an_error(self):
        for source in ["f(", "f)", "f(]", '"a']:
            with self.assertRaises(swift_tokens.UnreadableSource):
                swift_tokens.read(source)


class RewritingTests(unittest.TestCase):
    def test_each_kind_becomes_a_switch(self):
        for line, kind, result in [
            ("return a < b.count", "comparison", "return (mutantIsOn(7) ? a <= b.count : a < b.count)"),
            ("let c = a == b ?? d", "comparison", "let c = ((a == b ?? d) != mutantIsOn(7))"),
            ("return a && b(c)", "logical", "return mutantAnd(7, a, b(c))"),
            ("return a == b || c", "logical", "return mutantOr(7, a == b, c)"),
            ("x = count - y * z", "arithmetic", "x = (mutantIsOn(7) ? count + y * z : count - y * z)"),
            ("x = a ?? b", "default", "x = (mutantIsOn(7) ? nil : a) ?? b"),
            ("return true", "truth", "return !mutantIsOn(7)"),
            ("return false", "truth", "return mutantIsOn(7)"),
            ("x = y[0x7F]", "literal", "x = y[(mutantIsOn(7) ? 126 : 0x7F)]"),
            ("if a.isEmpty { return }", "condition", "if (mutantIsOn(7) != (a.isEmpty)) { return }"),
            ("while a.next() { b() }", "condition", "while (mutantIsOn(7) != (a.next())) { b() }"),
            ("guard let a, a.b(c: { d }) else { return }", "condition",
             "guard let a, (mutantIsOn(7) != (a.b(c: { d }))) else { return }"),
            ("try await a.b(c, d: 1)", "call", "if !mutantIsOn(7) { try await a.b(c, d: 1) }"),
        ]:
            self.assertEqual(rewritten(line, kind), result)

    def test_operands_end_at_weaker_operators(self):
        self.assertEqual(mutations(in_function("a()", "return x < 1 && y ?? z == w || !v", "b()"), "comparison"),
                         ["x < 1 → x <= 1", "y ?? z == w → y ?? z != w"])
        self.assertEqual(mutations(in_function("return a ? b == c : d > e"), "comparison"),
                         ["b == c → b != c", "d > e → d >= e"])
        self.assertEqual(mutations(in_function("return a || b && c"), "logical"),
                         ["a || b && c → a && b && c", "b && c → b || c"])
        self.assertEqual(mutations(in_function("return a || b(c || d) || e"), "logical"),
                         ["a || b(c || d) || e → a && (b(c || d) || e)", "c || d → c && d",
                          "a || b(c || d) || e → (a || b(c || d)) && e"])
        for sum in ["time - start", 'a.count + "b"', "String(a) + number", "count + [a]"]:
            self.assertEqual(mutations(in_function(f"return {sum}"), "arithmetic"), [], sum)
        self.assertEqual(mutations(in_function("x = a ?? b ?? c"), "default"), ["a ?? → nil ??", "b ?? → nil ??"])

    def test_effects_stay_in_front(self):
        self.assertEqual(rewritten("if try await a() == b { c }", "comparison"),
                         "if try await ((a() == b) != mutantIsOn(7)) { c }")
        self.assertEqual(rewritten("if try a(b) { c }", "condition"), "if try (mutantIsOn(7) != (a(b))) { c }")
        self.assertEqual(rewritten("x = try? a() ?? b", "default"), "x = try? (mutantIsOn(7) ? nil : a()) ?? b")

    def test_blocks_end_conditions_and_closures_do_not(self):
        self.assertEqual(mutations(in_function("if a == b { c() }"), "comparison"), ["a == b → a != b"])
        self.assertEqual(mutations(in_function("if let a = b.for.c, a > 0 { try d() }"), "comparison"),
                         ["a > 0 → a >= 0"])
        self.assertEqual(mutations(in_function("let a = b.filter { $0 }.count == c"), "comparison"),
                         ["b.filter { $0 }.count == c → b.filter { $0 }.count != c"])

    def test_rewriting_keeps_lines(self):
        source = in_function("a()", "if b == c { return }", "return d < e")
        changed = rewrite(source, list(enumerate(site for site in sites(source) if site.kind == "comparison")))
        self.assertEqual(changed.count("\n"), source.count("\n"))
        self.assertIn("if ((b == c) != mutantIsOn(0)) {", changed.split("\n")[2])
        self.assertIn("mutantIsOn(1) ? d <= e", changed.split("\n")[3])


class CautionTests(unittest.TestCase):
    def test_declarations_and_patterns_are_not_changed(self):
        for source in [
            "struct A { let a = 1; var b = 2 < 3 }",
            "enum A: Int { case a = 1, b = 2 }",
            "func f(a: Int = 1, b: Bool = c == d) -> Int",
            "extension A where Element == UInt8 {}",
            "let table: [Int] = [1, 2, 3]",
            in_function("switch a {", "case 1...2: break", "case (3, _) where b < 4: break", "default: break", "}"),
            in_function("#if os(Linux)", "a = b < c", "#endif"),
            in_function("let a: Dictionary<Int, Int> = b"),
            in_function('log("\\(a < b)")'),
            in_function("let a = [1, 2]"),
            in_function("a = b.0"),
            in_function("// a < 1"),
            in_function("while true { a() }"),
            in_function("a.reserveCapacity(b.count + 1)"),
            in_function("logger.info(a, b: c == d)"),
        ]:
            self.assertEqual(mutations(source), [], source)

    def test_expressions_of_several_lines_are_not_changed(self):
        for lines in [
            ("return a", "    && b == c", "    && d"),
            ("return a == b(", "    c", ")"),
            ("return a ==", "    b"),
            ("return a < b", "    .c"),
        ]:
            self.assertEqual(mutations(in_function(*lines), "logical"), [], lines)
        self.assertEqual(mutations(in_function("return a == b(", "    c", ")"), "comparison"), [])
        self.assertEqual(mutations(in_function("return a < b", "    .c"), "comparison"), [])

    def test_conditions_on_lines_of_their_own_are_changed(self):
        found = mutations(in_function("guard let a,", "    b(a),", "    c < d", "else { return }"), "condition")
        self.assertEqual(found, ["b(a) → !(b(a))", "c < d → !(c < d)"])

    def test_calls_that_may_be_values_are_not_removed(self):
        self.assertEqual(mutations(in_function("a()"), "call"), [])
        self.assertEqual(mutations(in_function("b {", "    a()", "}", "c"), "call"), [])
        self.assertEqual(mutations(in_function("let x = a()", "return b(x)"), "call"), [])
        self.assertEqual(mutations(in_function("for b in c {", "    a()", "}"), "call"), ["a() → nothing"])

    def test_calls_that_no_test_should_notice_are_not_removed(self):
        for call in ["logger.info(a)", "a.reserveCapacity(b)", "precondition(a)", "super.a()", "self.init(a)"]:
            self.assertEqual(mutations(in_function("let x = 1", call, "y = x"), "call"), [], call)

    def test_equal_mutations_of_a_line_are_left_out(self):
        self.assertEqual(mutations(in_function("return [a < b, a < b]"), "comparison"), [])


def site(module, number, kind="comparison", file=None, start=None):
    start = number * 10 if start is None else start
    return Site(kind, file or f"Core/{module}/{number}.swift", number, f"line {number}", "a", "b", start, start + 5, "")


class ChoiceTests(unittest.TestCase):
    def setUp(self):
        self.sites = [site(module, number, kind) for module in "ABC" for number in range(9) for kind in ("x", "y")]

    def test_choice_is_even_over_modules_and_kinds(self):
        chosen = choose(self.sites, 12, "0", set())
        self.assertEqual({module: sum(s.module == module for s in chosen) for module in "ABC"}, dict.fromkeys("ABC", 4))
        self.assertEqual([s.kind for s in ordered(self.sites[:18], "0")][:4].count("x"), 2)

    def test_seed_determines_the_choice(self):
        self.assertEqual(choose(self.sites, 9, "1", set()), choose(list(reversed(self.sites)), 9, "1", set()))
        self.assertNotEqual(choose(self.sites, 9, "1", set()), choose(self.sites, 9, "2", set()))

    def test_excluded_site_is_replaced_and_others_stay(self):
        first = choose(self.sites, 9, "0", set())
        second = choose(self.sites, 9, "0", {first[0].key})
        self.assertEqual(len(second), 9)
        self.assertNotIn(first[0], second)
        self.assertGreaterEqual(len(set(first) & set(second)), 8)

    def test_chosen_sites_do_not_overlap(self):
        overlapping = [site("A", number, file="Core/A/a.swift", start=number * 3) for number in range(10)]
        chosen = sorted(s.start for s in choose(overlapping, 10, "0", set()))
        self.assertTrue(all(after - before >= 5 for before, after in zip(chosen, chosen[1:])))

    def test_small_modules_do_not_limit_the_number(self):
        chosen = choose(self.sites + [site("D", 1)], 20, "0", set())
        self.assertEqual(sum(one.module == "D" for one in chosen), 1)
        self.assertEqual(len(chosen), 20)

    def test_equivalent_mutants_are_those_of_the_sources_and_have_reasons(self):
        self.assertEqual(Equivalents(pathlib.Path(__file__).with_name("equivalent.toml")).stale(root), [])
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write('[[mutant]]\nfile = "a"\nline = "b"\nmutation = "c"\nreason = ""\n')
            file.flush()
            with self.assertRaises(ValueError):
                Equivalents(pathlib.Path(file.name))


class SuiteTests(unittest.TestCase):
    """Runs of a program in place of the tests: `$1` is the path of the events."""

    ISSUE = '{"kind":"event","payload":{"kind":"issueRecorded","testID":"A.b()","issue":{"isKnown":false}}}'

    def run_program(self, script, limit=20, skipped=()):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            tests = path / "tests"
            tests.write_text(f'#!/bin/bash\nevents=${{@: -1}}\n{script}\n')
            tests.chmod(0o755)
            suites = Suites(types.SimpleNamespace(folder=path, path=path, tests=tests))
            return suites.run("ATests", 7, limit, skipped)

    def test_status_decides_if_no_test_fails(self):
        self.assertEqual(self.run_program("exit 0").outcome, "passed")
        self.assertEqual(self.run_program("exit 1").outcome, "crashed")
        self.assertEqual(self.run_program("kill -SEGV $$").outcome, "crashed")

    def test_first_failure_ends_the_run_and_all_its_processes(self):
        script = f"setsid sleep 1000 & echo '{self.ISSUE}' >\"$events\"; sleep 1000"
        run = self.run_program(script)
        self.assertEqual((run.outcome, run.failures), ("failed", ["A.b()"]))
        self.assertLess(run.seconds, 10)
        self.assertEqual(descendants(), [])

    def test_limit_ends_the_run(self):
        self.assertEqual(self.run_program("(sleep 1000) & sleep 1000", limit=0.5).outcome, "timed out")
        self.assertEqual(descendants(), [])

    def test_mutant_is_active_by_the_environment_and_by_a_file(self):
        run = self.run_program('[ "$WAYPOST_MUTANT" = 7 ] && [ "$(cat active)" = 7 ] && [ -d "$TMPDIR" ]')
        self.assertEqual(run.outcome, "passed")

    def test_tests_that_fail_without_a_mutant_are_skipped(self):
        script = '[ "$3" = --filter ] && [ "$4" = "^ATests[.]" ] && [ "$5" = --skip ] && [ "$6" = "^A[.]b(/|$)" ]'
        self.assertEqual(self.run_program(script.replace("[.]b", "\\\\.b"), skipped=["A.b"]).outcome, "passed")


class RunTests(unittest.TestCase):
    def test_only_failures_count(self):
        def event(kind, **issue):
            payload = {"kind": kind, "testID": "A.b()/C.swift:1:2", "issue": issue}
            return json.dumps({"kind": "event", "payload": payload})

        self.assertEqual(failed_test(event("issueRecorded", isKnown=False)), "A.b()/C.swift:1:2")
        self.assertIsNone(failed_test(event("testEnded")))
        self.assertIsNone(failed_test(event("issueRecorded", isKnown=True)))
        self.assertIsNone(failed_test(event("issueRecorded", severity="warning")))

    def test_skip_pattern_names_one_test(self):
        pattern = skip_pattern("Tests.Suite/honks(_:)/Horn.swift:10:6")
        self.assertTrue(re.search(pattern, "Tests.Suite/honks(_:)/Horn.swift:10:6"))
        for other in ["Tests.Suite/honks()/Horn.swift:10:6", "MoreTests.Suite/honks(_:)", "Tests.Suite/honks(_:)Twice"]:
            self.assertFalse(re.search(pattern, other))

    def test_targets_are_those_of_the_manifest(self):
        targets = test_targets((root / "Package.swift").read_text())
        self.assertIn("DeviceModelTests", targets)
        self.assertNotIn("ArchitectureTests", targets)
        self.assertGreater(len(targets), 30)

    def test_errors_name_the_mutants_of_their_line_or_the_nearest(self):
        tree = Tree(root, pathlib.Path("/x"))
        near, far = site("A", 3, file="Core/A/a.swift"), site("A", 90, file="Core/A/a.swift")
        other = site("B", 3, file="Core/B/b.swift")
        numbered = list(enumerate([near, far, other]))
        for line, culprits in [(3, {near}), (90, {far}), (10, {near}), (50, {near, far})]:
            output = f"/x/tree/Core/A/a.swift:{line}:1: error: cannot honk\n"
            self.assertEqual(tree.culprits(output, numbered), culprits)
        self.assertEqual(tree.culprits("error: fatalError", numbered), set())

    def test_manifest_has_the_switches_and_no_warnings_as_errors(self):
        text = Tree(root, pathlib.Path("/x")).manifest((root / "Package.swift").read_text(), ["Core/Consent"])
        self.assertNotIn("treatAllWarnings", text)
        self.assertIn('where ["Consent"].contains', text)

    def test_killed_mutants_stay_killed_and_others_are_tried_again(self):
        with tempfile.TemporaryDirectory() as folder:
            results = Results(pathlib.Path(folder) / "results.json")
            results["digest"] = "before"
            outcomes = {"a": "failed", "b": "survived", "c": "not reached"}
            results["mutants"] = {key: {"outcome": outcome} for key, outcome in outcomes.items()}
            results.adopt("before")
            self.assertEqual(set(results["mutants"]), {"a", "b", "c"})
            results.adopt("after")
            self.assertEqual(set(Results(results.path)["mutants"]), {"a"})

    def test_summary_counts_killed_mutants(self):
        with tempfile.TemporaryDirectory() as folder:
            results = Results(pathlib.Path(folder) / "results.json")
            numbered = list(enumerate(site("A", number) for number in range(100)))
            for count, is_enough in [(97, True), (96, False)]:
                results["mutants"] = {
                    one.key: {"outcome": "timed out" if number < count else "survived", "by": ""}
                    for number, one in numbered
                }
                table, enough = summary(numbered, results)
                self.assertTrue(table.endswith(f"killed {count} of 100 that can be ({count}.0 %)"))
                self.assertEqual(enough, is_enough)


if __name__ == "__main__":
    unittest.main()
