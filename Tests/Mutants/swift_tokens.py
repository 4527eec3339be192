"""Splits Swift sources into tokens, and says in which brackets, and in which kind of code, each token is."""

import re
from dataclasses import dataclass

WORD = re.compile(r"[@#]?(?:`\w+`|[^\W\d]\w*|\$\w+)")
NUMBER = re.compile(r"0x[0-9a-fA-F_]+(?:p[+-]?\d+)?|0b[01_]+|0o[0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?")
INDEX = re.compile(r"\d+")
OPERATOR = re.compile(r"\.{2,}<?|[/=\-+!*%<>&|^~?]+")
OPENERS = {"(": ")", "[": "]", "{": "}"}

# Keywords after which a `{` opens the members of a type.
TYPE_KEYWORDS = {"struct", "enum", "extension", "protocol", "class", "actor"}
FUNCTION_KEYWORDS = {"func", "init", "subscript", "deinit", "macro"}


@dataclass
class Token:
    """A token; comments are not tokens, and a string is one token."""

    kind: str  # word, number, index, string, operator, mark
    text: str
    start: int
    end: int
    line: int
    end_line: int
    spaced_before: bool = False
    spaced_after: bool = False
    opener: int = -1  # the index of the bracket around the token
    partner: int = -1  # of a bracket: the index of the other one
    block: str = ""  # of a bracket: type, body, switch, declaration, attribute, array, group
    is_code: bool = False  # whether the token is in the body of a function, outside of patterns and declarations

    @property
    def is_binary(self):
        return self.kind == "operator" and self.spaced_before and self.spaced_after


@dataclass
class Frame:
    """The state of a walk through the tokens between two brackets."""

    index: int
    block: str
    pending: str = ""  # a keyword whose `(` or `{` has not come yet
    pattern: str = ""  # the keyword that began a pattern


class UnreadableSource(Exception):
    """The source has something that this cannot split."""


def end_of_string(source, start):
    """Returns the offset after the string literal that begins at `start`, with its interpolations."""
    hashes = re.compile("#*").match(source, start).group()
    position = start + len(hashes)
    quotes = '"""' if re.compile(r'"""[ \t]*\n').match(source, position) else '"'
    position += len(quotes)
    escape, end = "\\" + hashes, quotes + hashes
    while position < len(source):
        if source.startswith(escape, position):
            position += len(escape)
            if source.startswith("(", position):
                position = end_of_interpolation(source, position)
            else:
                position += 1
        elif source.startswith(end, position):
            return position + len(end)
        elif source[position] == "\n" and quotes == '"':
            break
        else:
            position += 1
    raise UnreadableSource(f"a string that begins at {start} does not end")


def end_of_interpolation(source, start):
    """Returns the offset after the `)` that belongs to the `(` at `start`."""
    depth, position = 0, start
    while position < len(source):
        character = source[position]
        if character == '"' or re.compile('#+"').match(source, position):
            position = end_of_string(source, position)
            continue
        depth += {"(": 1, ")": -1}.get(character, 0)
        position += 1
        if depth == 0:
            return position
    raise UnreadableSource(f"an interpolation that begins at {start} does not end")


def end_of_comment(source, start):
    """Returns the offset after the comment that begins at `start`; comments between `/*` and `*/` nest."""
    if source.startswith("//", start):
        end = source.find("\n", start)
        return len(source) if end < 0 else end
    depth, position = 0, start
    while position < len(source):
        if source.startswith("/*", position):
            depth, position = depth + 1, position + 2
        elif source.startswith("*/", position):
            depth, position = depth - 1, position + 2
            if depth == 0:
                return position
        else:
            position += 1
    raise UnreadableSource(f"a comment that begins at {start} does not end")


def end_of_regex(source, start, tokens):
    """Returns the offset after the regular expression that begins at `start`, or `None` if there is none."""
    extended = re.compile(r"#+/").match(source, start)
    if extended:
        closing = "/" + "#" * (len(extended.group()) - 1)
        end = source.find(closing, extended.end())
        return None if end < 0 else end + len(closing)
    after_value = tokens and (
        tokens[-1].kind in ("number", "index", "string")
        or tokens[-1].text in (")", "]", "}")
        or (tokens[-1].kind == "word" and tokens[-1].text not in ("return", "case", "in"))
    )
    if source[start] != "/" or after_value:
        return None
    bare = re.compile(r"/(?![ /*])(?:\\.|[^/\n\\])+/").match(source, start)
    return bare.end() if bare else None


def split(source):
    """Returns the tokens of a source."""
    tokens, position, line = [], 0, 1
    while position < len(source):
        character = source[position]
        if character.isspace():
            line += character == "\n"
            position += 1
            continue
        if source.startswith(("//", "/*"), position):
            end = end_of_comment(source, position)
            line += source.count("\n", position, end)
            position = end
            continue
        kind, end = kind_and_end(source, position, tokens)
        lines = source.count("\n", position, end)
        token = Token(kind, source[position:end], position, end, line, line + lines)
        token.spaced_before = position > 0 and source[position - 1] in " \n\t([{,"
        token.spaced_after = end < len(source) and source[end] in " \n\t"
        tokens.append(token)
        line += lines
        position = end
    return tokens


def kind_and_end(source, position, tokens):
    """Returns the kind of the token at an offset, and the offset after it."""
    if re.compile('#*"').match(source, position):
        return "string", end_of_string(source, position)
    regex = end_of_regex(source, position, tokens)
    if regex:
        return "string", regex
    word = WORD.match(source, position)
    if word:
        return "word", word.end()
    if source[position].isdigit():
        if tokens and tokens[-1].text == "." and tokens[-1].end == position:
            return "index", INDEX.match(source, position).end()
        return "number", NUMBER.match(source, position).end()
    operator = OPERATOR.match(source, position)
    if operator:
        return "operator", operator.end()
    return "mark", position + 1


def read(source):
    """Returns the tokens of a source, with their brackets and kinds of code."""
    tokens = split(source)
    frames = [Frame(-1, "file")]
    conditional = 0
    for index, token in enumerate(tokens):
        previous = tokens[index - 1] if index else None
        if token.text in ("#if", "#endif"):
            conditional += 1 if token.text == "#if" else -1
        if token.text in OPENERS.values() and token.kind == "mark":
            close(frames, tokens, index)
            frame = frames[-1]
        else:
            frame = frames[-1]
            token.opener = frame.index
            if token.kind == "word" and not (previous and previous.text == "."):
                note_keyword(frame, tokens, index)
        token.is_code = not conditional and is_code(frames)
        if (token.text == "=" and token.kind == "operator") or token.text == ":":
            frame.pattern = ""
        if token.text in OPENERS and token.kind == "mark":
            token.block = block_of(frame, token, previous)
            frames.append(Frame(index, token.block))
    if len(frames) > 1:
        raise UnreadableSource(f"the bracket of line {tokens[frames[-1].index].line} is not closed")
    return tokens


def close(frames, tokens, index):
    """Ends the innermost brackets."""
    token, frame = tokens[index], frames[-1]
    if frame.index < 0 or OPENERS[tokens[frame.index].text] != token.text:
        raise UnreadableSource(f"line {token.line} closes a bracket that is not open")
    frames.pop()
    token.partner, tokens[frame.index].partner = frame.index, index
    token.opener, token.block = frames[-1].index, frame.block


def note_keyword(frame, tokens, index):
    """Notes what a keyword announces."""
    text = tokens[index].text
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if index and tokens[index - 1].text == "import":
        return
    names_something = following is not None and following.kind == "word"
    if text in TYPE_KEYWORDS and names_something and following.text not in ("func", "var", "let", "subscript"):
        if text != "actor" or following.text[:1].isupper():
            frame.pending = "type"
    elif text in FUNCTION_KEYWORDS and following is not None and following.text != ":":
        frame.pending = "function"
    elif text == "switch":
        frame.pending = "switch"
    elif text == "case":
        frame.pattern = "for" if index and tokens[index - 1].text == "for" else "case"
    elif text == "in" and frame.pattern == "for":
        frame.pattern = ""


def block_of(frame, token, previous):
    """Returns what a bracket encloses."""
    if token.text == "{":
        block = {"type": "type", "switch": "switch"}.get(frame.pending, "body")
        frame.pending = ""
        return block
    touches = previous is not None and previous.end == token.start
    if token.text == "[":
        follows_value = touches and (previous.kind in ("word", "string") or previous.text in (")", "]", "?", "!"))
        return "group" if follows_value else "array"
    if frame.pending == "function":
        frame.pending = "result"
        return "declaration"
    if touches and previous.kind == "word" and previous.text[0] in "@#":
        return "attribute"
    return "group"


def is_code(frames):
    """Whether what is in the innermost frame now is code that runs."""
    for frame in reversed(frames):
        if frame.pattern or frame.pending in ("type", "function", "result"):
            return False
        if frame.block in ("body", "switch"):
            return True
        if frame.block in ("type", "file", "declaration", "attribute"):
            return False
    return False
