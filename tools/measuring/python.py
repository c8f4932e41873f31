"""Measures of a Python file.

Methods are the functions in a class body (overloads of a typed signature aside). Fields are the
attributes that its own methods assign to their first argument, annotated names of the class body
(``ClassVar`` and ``InitVar`` aside) and ``__slots__``; names of methods, such as a property with a
setter, are no fields. A string that is a statement is a docstring.
"""

import ast
import io
import tokenize
from collections.abc import Iterator

from tools.measuring.measures import Class, Function, Measures, code_between, is_main_loop

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LAYOUT = {
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
NO_FIELDS = {"ClassVar", "InitVar", "KW_ONLY"}


def measure(source: str) -> Measures:
    """Measure the text of a Python file."""
    tree = ast.parse(source)
    code_lines, comments = _lines(source, tree)
    functions: list[Function] = []
    classes: list[Class] = []
    for name, node in _definitions(tree, ""):
        if isinstance(node, ast.ClassDef):
            classes.append(_class(name, node))
        else:
            functions.append(_function(name, node, code_lines, comments))
    return Measures(code_lines, tuple(functions), tuple(classes))


def _lines(source: str, tree: ast.Module) -> tuple[frozenset[int], dict[int, str]]:
    """Return the lines with code and the comments by line."""
    blank = {i for i, line in enumerate(source.splitlines(), 1) if not line.strip()}
    docstrings = list(_docstrings(tree))
    code: set[int] = set()
    comments: dict[int, str] = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            comments[token.start[0]] = token.string.lstrip("# ")
        elif token.type not in LAYOUT and not any(a <= token.start < b for a, b in docstrings):
            code.update(range(token.start[0], token.end[0] + 1))
    return frozenset(code - blank), comments


def _docstrings(tree: ast.Module) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield where each string that is a statement starts and ends."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            end = node.value.end_lineno or node.lineno, node.value.end_col_offset or 0
            yield (node.lineno, node.col_offset), end


def _definitions(node: ast.AST, prefix: str) -> Iterator[tuple[str, AnyFunction | ast.ClassDef]]:
    """Yield every function and class below a node, nested ones with their full names."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (*FUNCTIONS, ast.ClassDef)):
            name = f"{prefix}{child.name}"
            yield name, child
            yield from _definitions(child, f"{name}.")
        else:
            yield from _definitions(child, prefix)


def _function(
    name: str, node: AnyFunction, code_lines: frozenset[int], comments: dict[int, str]
) -> Function:
    last = node.end_lineno or node.lineno
    head = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    marked = is_main_loop(comments, head, node.lineno)
    size = code_between(code_lines, node.lineno, last)
    return Function(name, node.lineno, last, size, marked)


def _class(name: str, node: ast.ClassDef) -> Class:
    methods = [child for child in _statements(node.body) if isinstance(child, FUNCTIONS)]
    names = tuple(method.name for method in methods if "overload" not in _decorators(method))
    fields: dict[str, None] = dict.fromkeys(_declared(node))
    for method in methods:
        fields.update(dict.fromkeys(_assigned(method)))
    bases = tuple(_last_name(base) for base in node.bases)
    own = tuple(field for field in fields if field not in names)
    return Class(name, node.lineno, names, own, bases, _kept_parameters(methods))


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a class body, those under an ``if`` included."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If):
            yield from _statements([*statement.body, *statement.orelse])


def _declared(node: ast.ClassDef) -> Iterator[str]:
    """Yield the annotated names of a class body and those of ``__slots__``."""
    for statement in _statements(node.body):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            kind = statement.annotation
            kind = kind.value if isinstance(kind, ast.Subscript) else kind
            if _last_name(kind) not in NO_FIELDS:
                yield statement.target.id
        elif isinstance(statement, ast.Assign) and "__slots__" in map(
            _last_name, statement.targets
        ):
            names = ast.literal_eval(statement.value)
            yield from [names] if isinstance(names, str) else names


def _assigned(method: AnyFunction) -> Iterator[str]:
    """Yield the attributes that a method assigns to its first argument."""
    arguments = [*method.args.posonlyargs, *method.args.args]
    if not arguments or _decorators(method) & {"staticmethod", "classmethod"}:
        return
    for node in _within(method):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            owner, name = node.value, node.attr
        elif isinstance(node, ast.Call) and _last_name(node.func) in {"__setattr__", "setattr"}:
            # object.__setattr__(self, "name", value), in frozen data classes
            if len(node.args) != 3 or not isinstance(node.args[1], ast.Constant):
                continue
            owner, name = node.args[0], str(node.args[1].value)
        else:
            continue
        if isinstance(owner, ast.Name) and owner.id == arguments[0].arg:
            yield name


def _within(node: ast.AST) -> Iterator[ast.AST]:
    """Yield every node of a method, nested classes aside, which have a ``self`` of their own."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.ClassDef):
            yield child
            yield from _within(child)


def _kept_parameters(methods: list[AnyFunction]) -> frozenset[str]:
    """Return the fields that the constructor sets to its argument of the same name."""
    return frozenset(
        node.value.id
        for method in methods
        if method.name == "__init__"
        for node in _within(method)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Name)
        and ast.unparse(node.targets[0]) == f"{method.args.args[0].arg}.{node.value.id}"
    )


def _decorators(method: AnyFunction) -> set[str]:
    return {_last_name(decorator) for decorator in method.decorator_list}


def _last_name(node: ast.AST) -> str:
    """Return the last part of a dotted name; of a call or a subscript, that of what is called."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Call):
        return _last_name(node.func)
    return _last_name(node.value) if isinstance(node, ast.Subscript) else ""
