"""Measures of a C++ file.

Methods are the functions declared in a class body, whether defined there or elsewhere:
constructors, destructors and operators too, ``= default`` and ``= delete`` and friends not. Fields
are its data members that are not static; those of an anonymous struct or union count for the class
around it. Classes inside a class are measured on their own. Both sides of an ``#if`` count.

A function's lines start at its return type, below ``template <...>``. The grammar does not know
every expression, such as ``this->*step``; inside a function that loses no line, elsewhere it might
hide a declaration, and the line is reported.
"""

from collections.abc import Iterator

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from tools.measuring.measures import Class, Function, Measures, code_between, is_main_loop

LANGUAGE = Language(tree_sitter_cpp.language())
CLASSES = {"class_specifier", "struct_specifier", "union_specifier"}
MEMBERS = {"field_declaration", "declaration", "function_definition"}
# What surrounds members of a class without being a class: `template <...>`, `#if` and its branches.
WRAPPERS = {
    "template_declaration",
    "preproc_if",
    "preproc_ifdef",
    "preproc_else",
    "preproc_elif",
    "preproc_elifdef",
}
NOT_WRITTEN = {"default_method_clause", "delete_method_clause"}
NAMES = {
    "destructor_name",
    "field_identifier",
    "identifier",
    "operator_cast",
    "operator_name",
    "qualified_identifier",
    "template_function",
}


def measure(source: str) -> Measures:
    """Measure the text of a C++ file."""
    root = Parser(LANGUAGE).parse(source.encode()).root_node
    code_lines, comments = _lines(source, root)
    functions = []
    classes = []
    for prefix, node in _definitions(root, ""):
        if node.type == "function_definition":
            functions.append(_function(prefix, node, code_lines, comments))
        else:
            classes.append(_class(prefix, node))
    return Measures(code_lines, tuple(functions), tuple(classes), tuple(_unparsed(root)))


def _lines(source: str, root: Node) -> tuple[frozenset[int], dict[int, str]]:
    """Return the lines with code and the comments by line."""
    texts = source.split("\n")
    code: set[int] = set()
    comments: dict[int, str] = {}
    for leaf in _leaves(root):
        first, last = leaf.start_point.row, leaf.end_point.row
        if leaf.type == "comment":
            for row, text in enumerate(_text(leaf).split("\n"), first):
                comments[row + 1] = text.lstrip("/* ")
        elif leaf.end_byte > leaf.start_byte:
            # The end of a directive is the start of the next line.
            stop = last if leaf.end_point.column > 0 else last - 1
            code.update(row + 1 for row in range(first, stop + 1) if texts[row].strip())
    return frozenset(code), comments


def _leaves(node: Node) -> Iterator[Node]:
    if not node.children or node.type == "comment":
        yield node
    for child in node.children if node.type != "comment" else ():
        yield from _leaves(child)


def _unparsed(node: Node) -> Iterator[int]:
    """Yield the lines of errors outside function bodies."""
    if node.is_error:
        yield node.start_point.row + 1
    elif node.has_error and node.type != "compound_statement":
        for child in node.children:
            yield from _unparsed(child)


def _definitions(node: Node, prefix: str) -> Iterator[tuple[str, Node]]:
    """Yield every function with a body and every named class, each with the names around it."""
    for child in node.children:
        inner = prefix
        if child.type in CLASSES and child.child_by_field_name("body"):
            if child.child_by_field_name("name"):
                yield prefix, child
                inner = f"{prefix}{_class_name(child)}::"
        elif child.type == "function_definition" and child.child_by_field_name("body"):
            yield prefix, child
        yield from _definitions(child, inner)


def _function(
    prefix: str, node: Node, code_lines: frozenset[int], comments: dict[int, str]
) -> Function:
    head = node
    while head.parent and head.parent.type == "template_declaration":
        head = head.parent
    first, last = node.start_point.row + 1, node.end_point.row + 1
    declarator = node.child_by_field_name("declarator")
    name = prefix + (_text(_name(declarator)) if declarator else "")
    marked = is_main_loop(comments, head.start_point.row + 1, first)
    return Function(name, first, last, code_between(code_lines, first, last), marked)


def _class(prefix: str, node: Node) -> Class:
    methods: list[str] = []
    fields: list[str] = []
    for member in _members(node):
        for declarator in member.children_by_field_name("declarator"):
            if member.type == "function_definition" or _is_function(declarator):
                methods.append(_text(_name(declarator)))
            elif not any(_text(part) == "static" for part in member.children):
                fields.append(_text(_name(declarator)))
    name = prefix + _class_name(node)
    return Class(name, node.start_point.row + 1, tuple(methods), tuple(fields))


def _members(node: Node) -> Iterator[Node]:
    """Yield the declarations in a class body, those of anonymous structs and unions included."""
    body = node.child_by_field_name("body") if node.type in CLASSES else node
    for child in body.children if body else ():
        if child.type in WRAPPERS:
            yield from _members(child)
        elif child.type in MEMBERS and not any(part.type in NOT_WRITTEN for part in child.children):
            kind = child.child_by_field_name("type")
            if kind and kind.type in CLASSES and not kind.child_by_field_name("name"):
                yield from _members(kind)
            else:
                yield child


def _is_function(declarator: Node) -> bool:
    """Whether a declarator is one of a function; a pointer to a function, ``(*f)(...)``, is not."""
    node: Node | None = declarator
    while node and node.type not in {"function_declarator", "operator_cast"}:
        node = _inner(node)
    if not node or node.type == "operator_cast":
        return node is not None
    inner = _inner(node)
    return inner is not None and inner.type != "parenthesized_declarator"


def _name(declarator: Node) -> Node:
    """Return the part of a declarator that is the name."""
    node = declarator
    while node.type not in NAMES and (inner := _inner(node)):
        node = inner
    return node


def _inner(declarator: Node) -> Node | None:
    """Return the declarator inside ``*d``, ``&d``, ``(d)``, ``d[n]`` or ``d(...)``."""
    named = declarator.child_by_field_name("declarator")
    return named or next((child for child in declarator.named_children), None)


def _class_name(node: Node) -> str:
    name = node.child_by_field_name("name")
    return _text(name) if name else ""


def _text(node: Node) -> str:
    return (node.text or b"").decode()
