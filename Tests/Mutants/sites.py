"""Finds the places of a Swift source that can be changed, and rewrites them into switches.

A site is conservative: what it changes is on one line, and the whole line is one statement or a part of one.
"""

import hashlib
import re
from dataclasses import dataclass

import swift_tokens
from swift_tokens import read

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
LOGICAL = {"&&": "||", "||": "&&"}
ADDITIVE = {"+": "-", "-": "+"}
RANGES = {"...", "..<"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "&+=", "&-="}

# The operators that end an operand, by the kind of operator that has it: those that bind less strongly.
TERNARY = {"?"} | ASSIGNMENTS | {"->"}
ENDS_OF_DISJUNCTION = TERNARY
ENDS_OF_CONJUNCTION = ENDS_OF_DISJUNCTION | {"||"}
ENDS_OF_COMPARISON = ENDS_OF_CONJUNCTION | {"&&"}
ENDS_OF_DEFAULT = ENDS_OF_COMPARISON | set(COMPARISONS) | {"~=", "===", "!==", "??"}
ENDS_OF_SUM = ENDS_OF_DEFAULT | RANGES

# Words that end an operand.
STATEMENT_WORDS = {
    "return", "in", "if", "guard", "while", "else", "where", "throw", "switch", "for", "repeat", "defer", "do", "let",
    "var", "case", "default", "yield", "catch",
}
EFFECTS = {"try", "await"}
CASTS = {"as", "is"}

# Statements that are no calls, or calls whose absence no test should notice: logs, capacity, and checks that hold.
UNREMOVABLE = STATEMENT_WORDS | {
    "break", "continue", "fallthrough", "func", "init", "struct", "enum", "class", "actor", "extension", "protocol",
    "import", "super", "fatalError", "precondition", "preconditionFailure", "assert", "assertionFailure", "logger",
    "log", "print", "withExtendedLifetime", "private", "static", "fileprivate", "package", "public", "mutating",
    "lazy", "weak", "unowned", "some", "any", "typealias", "discard", "consume", "borrowing", "nonisolated",
}
UNNOTICED_METHODS = {"init", "reserveCapacity", "trace", "debug", "info", "notice", "warning", "error", "critical"}

# The beginnings of conditions that are not negated. The compiler knows that `while true` does not end.
NO_CONDITIONS = {"let", "var", "case", "_", "unsafe", "true", "false"}

# The names of integers.
INTEGER_NAMES = {"count", "index", "offset", "number", "length", "size", "limit", "sequence", "total", "rawValue"}

# Lines with numbers and conditions that no test should notice.
UNNOTICED_LINE = re.compile(r"\b(reserveCapacity|precondition|assert)\(|\bminimumCapacity:|\blogger\.")

# More literals than these on one line are a table.
MAXIMUM_LITERALS = 4


@dataclass(frozen=True)
class Site:
    """A place that can be changed."""

    kind: str
    file: str
    line: int
    text: str  # the line without its indentation
    original: str
    mutated: str
    start: int
    end: int
    template: str  # the switch, with NUMBER in place of its number

    @property
    def mutation(self):
        return f"{self.original} → {self.mutated}"

    @property
    def module(self):
        return self.file.split("/")[1]

    @property
    def key(self):
        """What identifies the site if other lines of its file change."""
        return f"{self.file}: {self.text}: {self.mutation}"


def one_space(text):
    return re.sub(r"\s+", " ", text).strip()


class Finder:
    """Finds the sites of one source."""

    def __init__(self, file, source):
        self.file, self.source = file, source
        self.tokens = read(source)
        self.lines = source.split("\n")
        self.sites = []
        self.literals = {}
        for token in self.tokens:
            if token.kind == "number":
                self.literals[token.line] = self.literals.get(token.line, 0) + 1

    def find(self):
        for index, token in enumerate(self.tokens):
            if not token.is_code:
                continue
            if token.is_binary:
                self.operator(index, token)
            elif token.kind == "number":
                self.literal(index, token)
            elif token.kind == "word" and not self.is_member(index):
                if token.text in ("true", "false"):
                    self.truth(index, token)
                elif token.text in ("if", "guard", "while"):
                    self.conditions(index)
                self.call(index, token)
        # Two mutations with the same text on the same line cannot be told apart.
        counts = {}
        for site in self.sites:
            counts[site.key] = counts.get(site.key, 0) + 1
        return [site for site in self.sites if counts[site.key] == 1]

    # MARK: Parts

    def is_member(self, index):
        return index > 0 and self.tokens[index - 1].text == "."

    def text_of(self, first, last):
        return self.source[self.tokens[first].start : self.tokens[last].end]

    def add(self, kind, first, last, mutated, template, original=None):
        start, end = self.tokens[first].start, self.tokens[last].end
        line = self.tokens[first].line
        original = one_space(original or self.source[start:end])
        text = one_space(self.lines[line - 1])
        if UNNOTICED_LINE.search(text):
            return
        self.sites.append(Site(kind, self.file, line, text, original, one_space(mutated), start, end, template))

    def neighbor(self, index, step):
        """Returns the index of the next token at the same level, or `None` at a bracket around it."""
        index += step
        if not 0 <= index < len(self.tokens):
            return None
        token = self.tokens[index]
        if token.partner >= 0:
            opens = token.partner > index
            if opens != (step > 0):
                return None
            return token.partner
        return index

    def operand(self, index, step, ends, is_condition):
        """Returns the index of the last token of an operand beside the operator at `index`, or `None`.

        The walk goes to the left (`step` is -1) or to the right.
        """
        last, line = None, self.tokens[index].line
        position = index
        while True:
            following = self.neighbor(position, step)
            if following is None:
                break
            token, edge = self.tokens[following], self.edge(following)
            if (edge.end_line if step < 0 else edge.line) != line:
                if not self.is_border(edge, ends):
                    return None
                break
            if not all(part.line == line == part.end_line for part in (token, edge)):
                return None
            if token.text in ends and (token.is_binary or token.text in ASSIGNMENTS):
                break
            if token.text in (",", ";", ":") or self.is_statement_word(following, token):
                break
            if step > 0 and token.text == "}" and is_condition:
                break
            if step < 0 and (token.text in EFFECTS or self.belongs_to_try(following)):
                break
            last = position = following
        return last

    def edge(self, index):
        """Returns the token that is reached first: of brackets, a walk names the farther one."""
        token = self.tokens[index]
        return self.tokens[token.partner] if token.partner >= 0 else token

    def belongs_to_try(self, index):
        """Whether a token is the mark of `try?`."""
        return self.tokens[index].text in ("?", "!") and self.tokens[index - 1].text in EFFECTS

    def is_statement_word(self, index, token):
        return token.kind == "word" and token.text in STATEMENT_WORDS and not self.is_member(index)

    def is_border(self, token, ends):
        """Whether a token of another line is not a part of the operand."""
        if token.text in ends and token.kind == "operator":
            return True
        return token.kind != "operator" and token.text not in (".", "as", "is", "?", "!")

    def is_condition(self, index):
        """Whether the `{` after the token at `index` begins the block of a statement."""
        position = index
        while position is not None and self.tokens[position].line == self.tokens[index].line:
            token = self.tokens[position]
            if token.text in ("if", "while", "for", "switch", "guard", "where") and not self.is_member(position):
                return True
            position = self.neighbor(position, -1)
        previous = position is not None and self.tokens[position].text
        return previous == ","

    def region(self, index, ends_left, ends_right):
        """Returns the first and the last token of an expression around the operator at `index`, or `None`."""
        is_condition = self.is_condition(index)
        first = self.operand(index, -1, ends_left, is_condition)
        last = self.operand(index, 1, ends_right, is_condition)
        if first is None or last is None:
            return None
        return (first, last) if self.is_whole(first, last) else None

    def is_whole(self, first, last):
        """Whether a range of tokens has whole brackets, also those of generic arguments."""
        depth = 0
        for token in self.tokens[first : last + 1]:
            if token.partner >= 0 and not first <= token.partner <= last:
                return False
            if token.kind == "operator" and not token.is_binary and token.text != "->":
                depth += token.text.count("<") - token.text.count(">")
        return depth == 0 and "#" not in "".join(t.text[:1] for t in self.tokens[first : last + 1] if t.kind == "word")

    # MARK: Kinds

    def operator(self, index, token):
        if token.text in COMPARISONS:
            self.replace("comparison", index, COMPARISONS[token.text], ENDS_OF_COMPARISON)
        elif token.text == "&&":
            self.replace("logical", index, "||", ENDS_OF_CONJUNCTION)
        elif token.text == "||":
            self.replace("logical", index, "&&", ENDS_OF_DISJUNCTION)
        elif token.text in ADDITIVE and self.adds_integers(index):
            self.replace("arithmetic", index, ADDITIVE[token.text], ENDS_OF_SUM)
        elif token.text == "??":
            self.default(index)

    def adds_integers(self, index):
        """Whether the operands beside an operator may be integers."""
        before, after = self.tokens[index - 1], self.tokens[index + 1]
        return "string" not in (before.kind, after.kind)

    def has_integer(self, first, last):
        """Whether an expression has a literal, or a name that only integers have."""
        tokens = self.tokens[first : last + 1]
        if any(token.kind == "string" or token.block == "array" or token.text == "String" for token in tokens):
            return False
        level = self.tokens[first].opener
        return any(
            token.kind == "number" and "." not in token.text or token.text in INTEGER_NAMES
            for token in tokens
            if token.opener == level
        )

    def replace(self, kind, index, operator, ends):
        region = self.region(index, ends, ends)
        if region is None:
            return
        first, last = region
        if any(t.text in CASTS and t.kind == "word" for t in self.tokens[first : last + 1]) and kind == "arithmetic":
            return
        if self.tokens[first].kind == "operator" and self.tokens[first].is_binary:
            return
        if kind == "arithmetic" and not self.has_integer(first, last):
            return
        left = self.source[self.tokens[first].start : self.tokens[index].start].rstrip()
        right = self.source[self.tokens[index].end : self.tokens[last].end].lstrip()
        original, mutated = self.text_of(first, last), f"{left} {operator} {right}"
        # The compiler needs long for expressions that are there twice, so most are not.
        switch = f"(mutantIsOn(NUMBER) ? {mutated} : {original})"
        if operator in ("==", "!="):
            switch = f"(({original}) != mutantIsOn(NUMBER))"
        elif operator == "||":
            switch = f"mutantAnd(NUMBER, {left}, {right})"
        elif operator == "&&":
            switch = f"mutantOr(NUMBER, {left}, {right})"
            mutated = f"{self.in_parentheses(left, first, index)} && {self.in_parentheses(right, index, last)}"
        self.add(kind, first, last, mutated, switch)

    def in_parentheses(self, text, first, last):
        """An operand of a conjunction, which binds more strongly than a disjunction."""
        level = self.tokens[max(first, 0)].opener
        inner = self.tokens[first + 1 : last] if self.tokens[first].text == "||" else self.tokens[first:last]
        has_disjunction = any(token.text == "||" and token.opener == level for token in inner)
        return f"({text})" if has_disjunction else text

    def default(self, index):
        """`a ?? b` takes the default always."""
        if self.tokens[index + 1].text in ("throw", "nil"):
            return
        first = self.operand(index, -1, ENDS_OF_DEFAULT, False)
        if first is None or not self.is_whole(first, index - 1):
            return
        if self.neighbor(index, 1) is None or self.tokens[index + 1].line != self.tokens[index].line:
            return
        original = self.text_of(first, index - 1)
        if original == "nil":
            return
        self.add(
            "default", first, index - 1, "nil ??", f"(mutantIsOn(NUMBER) ? nil : {original})", original=f"{original} ??"
        )

    def literal(self, index, token):
        if not re.fullmatch(r"0[xbo][0-9a-fA-F_]+|[0-9_]+", token.text):
            return
        if self.literals[token.line] > MAXIMUM_LITERALS or not self.is_on_a_line_of_its_own(index):
            return
        before, after = self.tokens[index - 1], self.tokens[index + 1]
        if before.kind == "operator" and before.end == token.start and before.text not in RANGES:
            return
        if after.text == "." or before.text in ("default", "case") or after.text == ":":
            return
        value = int(token.text.replace("_", ""), 0)
        is_limit = value in (0xFF, 0xFFFF, 0x7F, 0x7FFF, 0xFFFF_FFFF, 0x7FFF_FFFF)
        digest = hashlib.sha256(f"{self.file} {self.lines[token.line - 1]} {index}".encode()).digest()[0]
        changed = value + (1 if value == 0 or (digest % 2 and not is_limit) else -1)
        # What is beside the literal tells it apart from others of its line.
        start = before.start if before.line == token.line else token.start
        end = after.end if after.line == token.line else token.end
        left, right = self.source[start : token.start], self.source[token.end : end]
        switch = f"(mutantIsOn(NUMBER) ? {changed} : {token.text})"
        self.add("literal", index, index, f"{left}{changed}{right}", switch, original=f"{left}{token.text}{right}")

    def is_on_a_line_of_its_own(self, index):
        """Whether the line is one statement, and all brackets around the literal are calls on that line."""
        token = self.tokens[index]
        opener = token.opener
        while opener >= 0 and self.tokens[opener].text != "{":
            bracket = self.tokens[opener]
            if bracket.block == "array" or bracket.line != token.line:
                return False
            if self.tokens[bracket.partner].line != token.line:
                return False
            opener = bracket.opener
        return self.begins_a_statement(self.first_of_line(index)) and self.ends_a_statement(self.last_of_line(index))

    def first_of_line(self, index):
        while index > 0 and self.tokens[index - 1].end_line == self.tokens[index].line:
            index -= 1
        return index

    def last_of_line(self, index):
        while index + 1 < len(self.tokens) and self.tokens[index + 1].line == self.tokens[index].end_line:
            index += 1
        return index

    def begins_a_statement(self, first):
        """Whether the line that begins at a token does not continue an expression of the line before."""
        token = self.tokens[first]
        if token.kind == "operator" and token.is_binary or token.text in (".", "?", ":"):
            return False
        if token.opener >= 0 and self.tokens[token.opener].text != "{" and token.partner < 0:
            return False
        before = self.tokens[first - 1] if first else None
        return before is None or not (before.kind == "operator" and before.text not in ("?", "!", ">"))

    def ends_a_statement(self, last):
        """Whether the line that ends with a token is not continued by an expression in the next one."""
        token = self.tokens[last]
        if token.kind == "operator" and token.spaced_before or token.text in ("(", "["):
            return False
        following = self.tokens[last + 1] if last + 1 < len(self.tokens) else None
        return following is None or not (following.text == "." or following.kind == "operator")

    def truth(self, index, token):
        before, after = self.tokens[index - 1], self.tokens[index + 1]
        is_last = after.line != token.line or after.text in ("}", ";")
        if after.line != token.line and (after.kind == "operator" or after.text == "."):
            return
        is_return = before.text == "return" and before.kind == "word"
        is_branch = before.text == ":" and before.opener >= 0 and self.tokens[before.opener].block == "switch"
        is_default = before.text == "??"
        if not is_last or not (is_return or is_branch or is_default) or before.line != token.line:
            return
        changed = {"true": "false", "false": "true"}[token.text]
        switch = "mutantIsOn(NUMBER)" if token.text == "false" else "!mutantIsOn(NUMBER)"
        self.add("truth", index, index, changed, switch, original=f"{before.text} {token.text}")

    def conditions(self, index):
        """Each condition of a statement is negated."""
        if self.tokens[index + 1].text == ":":
            return
        ending = "else" if self.tokens[index].text == "guard" else "{"
        first = position = index + 1
        while position < len(self.tokens):
            token = self.tokens[position]
            if token.text == ending and token.kind in ("word", "mark") and not self.is_member(position):
                self.condition(first, position - 1)
                return
            if token.text == ",":
                self.condition(first, position - 1)
                first = position + 1
            if token.partner > position:
                position = token.partner
            elif token.partner >= 0:
                return
            position += 1

    def condition(self, first, last):
        if first > last:
            return
        line = self.tokens[first].line
        tokens = self.tokens[first : last + 1]
        if any(token.line != line or token.end_line != line for token in tokens):
            return
        while first < last and self.tokens[first].text in EFFECTS:
            first += 1
            if self.tokens[first].text in ("?", "!"):
                return
        head = self.tokens[first]
        if head.text in NO_CONDITIONS or head.text.startswith("#") or not head.is_code:
            return
        level = self.tokens[first].opener
        for token in self.tokens[first : last + 1]:
            if token.opener == level and token.kind == "operator" and token.text in ASSIGNMENTS:
                return
        if not self.is_whole(first, last):
            return
        original = self.text_of(first, last)
        self.add("condition", first, last, f"!({original})", f"(mutantIsOn(NUMBER) != ({original}))")

    def call(self, index, token):
        """A call that is a statement of its own is removed."""
        opener = token.opener
        if opener < 0 or self.tokens[opener].text != "{" or self.tokens[opener].block not in ("body", "switch"):
            return
        before = self.tokens[index - 1]
        if before.end_line == token.line or not self.begins_a_statement(index):
            return
        if before.text in (":", ",", "return", "=") and not self.follows_label(index):
            return
        last = self.last_of_line(index)
        if self.tokens[last].text != ")" or not self.ends_a_statement(last):
            return
        name = index
        while self.tokens[name].text in EFFECTS:
            name += 1
            if self.tokens[name].text in ("?", "!"):
                name += 1
        if self.tokens[name].kind != "word" or self.tokens[name].text in UNREMOVABLE:
            return
        if not self.is_call(name, last) or self.is_alone(index, last):
            return
        original = self.text_of(index, last)
        self.add("call", index, last, "nothing", f"if !mutantIsOn(NUMBER) {{ {original} }}")

    def follows_label(self, index):
        """Whether the line before ends with the colon of a `case`."""
        before = self.tokens[index - 1]
        return before.text == ":" and before.opener >= 0 and self.tokens[before.opener].block == "switch"

    def is_call(self, first, last):
        """Whether the tokens are a chain of members that ends with a call."""
        position = first
        while position <= last:
            token = self.tokens[position]
            if token.text in UNNOTICED_METHODS and self.is_member(position):
                return False
            if token.partner > position:
                if token.text == "{" or token.line != self.tokens[token.partner].line:
                    return False
                position = token.partner
            elif token.kind == "operator" and token.text not in ("?", "!"):
                return False
            elif token.kind not in ("word", "operator", "index") and token.text != ".":
                return False
            elif token.kind == "word" and token.text in STATEMENT_WORDS | CASTS and not self.is_member(position):
                return False
            position += 1
        return position == last + 1

    def is_alone(self, first, last):
        """Whether the statement is all of a block that may be a value; then it may be the value."""
        before, after = self.tokens[first - 1], self.tokens[last + 1]
        begins = before.text in ("{", "in") or self.follows_label(first)
        ends = after.text in ("}", "case", "default")
        if not (begins and ends):
            return False
        if before.text != "{":
            return True
        head = self.tokens[self.first_of_line(first - 1)].text
        following = self.tokens[last + 2].text if last + 2 < len(self.tokens) else ""
        return not (head in ("for", "while") or (head == "if" and following != "else"))


def find_sites(file, source):
    """Returns the sites of a source; none if it has something that the tokens cannot express."""
    try:
        return Finder(file, source).find()
    except (swift_tokens.UnreadableSource, IndexError):
        return []


def rewrite(source, numbered_sites):
    """Returns the source with the sites as switches; `numbered_sites` has pairs of a number and a site."""
    for number, site in sorted(numbered_sites, key=lambda pair: pair[1].start, reverse=True):
        switch = site.template.replace("NUMBER", str(number), 1)
        source = source[: site.start] + switch + source[site.end :]
    return source
