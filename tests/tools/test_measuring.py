"""Parsers of the house limits, on sources small enough to count by hand."""

from pathlib import PurePath
from textwrap import dedent
from typing import Any

import pytest

measuring = pytest.importorskip("tools.measuring", reason="needs the lint extra")


def python(source: str) -> Any:
    return measuring.measure(PurePath("a.py"), dedent(source))


def cpp(source: str) -> Any:
    return measuring.measure(PurePath("a.hpp"), dedent(source))


def lengths(found: Any) -> dict[str, int]:
    return {function.name: function.code_lines for function in found.functions}


PYTHON_LINES = '''\
"""A docstring
of two lines."""

import os  # code with a comment

# a comment
TEXT = """a string that is data

with a blank line"""


class A: """on the line of the class"""


def f(x: int) -> int:
    """One line."""
    # why
    y = (
        x,

        os,
    )
    "a string that is a statement"
    return y[0]
'''


def test_python_lines_of_code_are_without_blanks_comments_and_docstrings() -> None:
    found = python(PYTHON_LINES)
    assert sorted(found.code_lines) == [4, 7, 9, 12, 15, 18, 19, 21, 22, 24]
    assert lengths(found) == {"f": 6}


PYTHON_CLASSES = '''\
class A(Base, other.Mixin[int]):
    """A class."""

    __slots__ = ("a", "slotted")
    constant = 3
    shared: ClassVar[int] = 0
    passed: InitVar[int]
    annotated: int
    if sys.version_info >= (3, 12):
        conditional: typing.Any = None

        def newer(self): ...

    def __init__(self, a, b, c):
        self.a = a
        self.b, self.c = b + 1, c
        other.z = 1

    async def g(this):
        this.d += 1
        async with lock as this.e:
            pass
        def inner():
            this.f: int = 3
        class Nested:
            def h(self):
                self.not_of_a = 1

    @property
    def p(self): return self.q

    @p.setter
    def p(self, value): object.__setattr__(self, "q", value)

    @classmethod
    def make(cls): cls.not_a_field = 1

    @staticmethod
    def free(x): x.not_a_field = 1

    @overload
    def typed(self, x: int) -> int: ...
    def typed(self, x): return x

    class Inner:
        only: int
'''


def test_python_classes_have_their_own_methods_and_fields() -> None:
    a, nested, inner = python(PYTHON_CLASSES).classes
    assert a.methods == ("newer", "__init__", "g", "p", "p", "make", "free", "typed")
    slots_and_annotated = {"a", "slotted", "annotated", "conditional"}
    assert set(a.fields) == slots_and_annotated | {"b", "c", "d", "e", "f", "q"}
    assert a.bases == ("Base", "Mixin")
    assert a.parameters == {"a"}
    assert (nested.name, nested.methods, nested.fields) == ("A.g.Nested", ("h",), ("not_of_a",))
    assert (inner.name, inner.methods, inner.fields) == ("A.Inner", (), ("only",))


def test_python_functions_start_at_def_and_contain_the_functions_inside() -> None:
    found = python("""\
        @decorated(
            1,
        )
        async def f(
            x,
        ):
            def inner():
                return x

            return inner
        """)
    assert lengths(found) == {"f": 6, "f.inner": 2}
    assert found.functions[0].line == 4


@pytest.mark.parametrize(
    ("source", "is_marked"),
    [
        ("# Main loop: bins.\ndef f(): ...", True),
        ("# main loop\n# of two lines\n@decorated\ndef f(): ...", True),
        ("def f():  # main loop\n    ...", True),
        ("# main loop\n\ndef f(): ...", False),
        ("# not the main loop\ndef f(): ...", False),
        ("# main loops\ndef f(): ...", False),
        ("def f():\n    # main loop\n    ...", False),
    ],
)
def test_a_comment_marks_a_main_loop(source: str, is_marked: bool) -> None:
    assert [function.main_loop for function in python(source).functions] == [is_marked]
    in_cpp = source.replace("#", "//").replace("@decorated", "template <class T>")
    in_cpp = in_cpp.replace("def f():", "void f() {").replace("...", "}")
    assert [function.main_loop for function in cpp(in_cpp).functions] == [is_marked]


CPP_LINES = """\
// A comment
#pragma once
/* of several

   lines */ int a;  // code

#if defined(A)  // why
#define TWICE(x) \\
  (x + x)
#else
#endif
const char* text = R"(// not a comment

last line)";
const char* url = "http://x";
"""


def test_cpp_lines_of_code_are_without_blanks_and_comments() -> None:
    assert sorted(cpp(CPP_LINES).code_lines) == [2, 5, 7, 8, 9, 10, 11, 12, 14, 15]


CPP_CLASSES = """\
namespace n {
class Forward;
enum class Color { red, green };
template <class T>
class A final : public Base<T> {
 public:
  A();
  explicit A(int x) : x_(x) {}
  A(const A&) = default;
  A& operator=(const A&) = delete;
  virtual ~A();
  virtual int pure(int x) const = 0;
  template <class S>
  S inlined(S s) {
    struct Local {
      int a, b, c;
    };
    return s;
  }
  auto trailing() -> int;
  [[nodiscard]] double* pointer() noexcept;
  operator bool() const;
  bool operator==(const A& other) const;
  static void shared();
  friend int friendly(A& a);
  using Name = int;
  static_assert(true, "");

 private:
  enum class Mode { a, b };
  struct Inner {
    int one;
    int method();
  };
  int x_ = 1, *y_, z_[3];
  double (*kernel_)(const double*, int) = nullptr;
  std::function<void(int)> callback_;
  static constexpr int kSize = 3;
  union {
    int whole_;
    double real_;
  };
  struct {
    int first;
  } pair_;
  std::vector<double>& reference_;
  unsigned bits_ : 3;
#if defined(FAST)
  int fast_;
  void go_fast();
#else
  int slow_;
#endif
};
}  // namespace n
"""


def test_cpp_classes_have_the_methods_and_fields_declared_in_them() -> None:
    found = cpp(CPP_CLASSES)
    assert not found.unparsed
    classes = {kind.name: kind for kind in found.classes}
    assert set(classes) == {"A", "A::Local", "A::Inner"}
    constructors = ("A", "A", "~A")
    operators = ("operator bool() const", "operator==")
    named = ("pure", "inlined", "trailing", "pointer")
    assert classes["A"].methods == (*constructors, *named, *operators, "shared", "go_fast")
    plain = {"x_", "y_", "z_", "kernel_", "callback_", "reference_", "bits_"}
    assert set(classes["A"].fields) == plain | {"whole_", "real_", "first", "fast_", "slow_"}
    assert classes["A::Local"].fields == ("a", "b", "c")
    assert (classes["A::Inner"].methods, classes["A::Inner"].fields) == (("method",), ("one",))


def test_cpp_functions_count_where_they_are_defined() -> None:
    found = cpp("""\
        void declared(int x);
        template <class T>
        T A<T>::out(
            int x) const {
          // why
          auto twice = [&](int y) {
            return 2 * y;
          };

          return twice(x);
        }
        A::A(int x)
            : x_(x),
              y_(x) {
        }
        struct B {
          int inlined() const { return 1; }
          B() = default;
        };
        static int* pointer() {
        #if defined(A)
          return a;
        #endif
        }
        """)
    assert lengths(found) == {"A<T>::out": 7, "A::A": 4, "B::inlined": 1, "pointer": 5}
    assert [function.line for function in found.functions] == [3, 12, 17, 20]


def test_cpp_that_is_not_understood_is_reported_outside_functions_only() -> None:
    inside = "int f() {\n  return (this->*step)(1);\n}\n"
    assert cpp(inside).unparsed == ()
    assert cpp(f"{inside}int A::* = = 3;\n").unparsed == (4,)
