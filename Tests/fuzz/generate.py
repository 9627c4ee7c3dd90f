#!/usr/bin/env python3
"""Writes the fuzzer's table of calls from the header.

    generate.py INCLUDE OUT     writes OUT/calls.h and OUT/calls.c

For every function of rac.h a C function that makes up arguments by their types,
calls, and keeps or releases the result as the comment of the function says; for
every type of callback one that looks at what it is lent and makes up an answer.
A type that is not known here, and a result whose owner the header does not tell,
are errors: a new function is fuzzed, or the build says what is missing.
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import header  # noqa: E402
import rules  # noqa: E402

SCALARS = {
    "bool": "fuzz_flag(p)",
    "int32_t": "(int32_t)fuzz_number(p)",
    "uint32_t": "(uint32_t)fuzz_few(p)",
    "int64_t": "fuzz_number(p)",
    "rac_status": "(rac_status)fuzz_number(p)",
}
# What is written to: the type of the variable.
OUTS = {
    "bool*": "bool",
    "int64_t*": "int64_t",
    "uint64_t*": "uint64_t",
    "double*": "double",
    "size_t*": "size_t",
    "const char**": "const char *",
    "const void**": "const void *",
    "void**": "void *",
}


def fail(what):
    sys.exit("Tests/fuzz/generate.py: " + what)


def kind_of(type_, kinds):
    """The kind of "rac_signal*"; None for another type."""
    match = re.match(r"rac_(\w+)\*$", type_)
    return match.group(1) if match and match.group(1) in kinds else None


def kind_name(kind):
    return "KIND_" + kind.upper()


def owner_of_handle(function, functions):
    """How the comment says that the result is held: "owned" or "lent"."""
    text = function.returned
    if "one reference" in text:
        return "owned"
    if text.startswith("lent"):
        return "lent"
    same = re.match(r"as (rac_\w+)\(\)", text)
    if same and same.group(1) in functions:
        return owner_of_handle(functions[same.group(1)], functions)
    fail("{}: does its comment say who owns the result?".format(function.name))


class Call:
    """The body of one generated call."""

    def __init__(self, function, functions, kinds):
        self.function = function
        self.functions = functions
        self.kinds = kinds
        self.lines = []
        self.after = []
        self.arguments = []
        self.shown = []
        guarded = rules.GUARDED.get(function.name, {})
        numbers = rules.NUMBERS.get(function.name, {})
        # Schedulers first: how long one may wait depends on them.
        order = sorted(
            range(len(function.parameters)),
            key=lambda i: function.parameters[i].type != "rac_scheduler*",
        )
        made = {}
        for i in order:
            made[i] = self.argument(i, guarded, numbers)
        self.arguments = [made[i] for i in range(len(function.parameters))]

    def add(self, line):
        self.lines.append(line)

    def following(self, i, type_=None):
        """The next parameter, if it has the type."""
        parameters = self.function.parameters
        if i + 1 < len(parameters) and type_ in (None, parameters[i + 1].type):
            return parameters[i + 1]
        return None

    def has_destroy(self):
        return any(p.type == "rac_destroy_fn" for p in self.function.parameters)

    def argument(self, i, guarded, numbers):
        p = self.function.parameters[i]
        name, type_ = "a_" + p.name, p.type
        if p.name in guarded:
            return self.guarded(p, name, guarded[p.name])
        kind = kind_of(type_, self.kinds)
        if kind and self.function.name in rules.LEAVES:
            self.add("{} = fuzz_leaf_{}(p, &c);".format(self.variable(p, name), kind))
            return name
        if kind:
            self.add("{} = fuzz_handle(p, &c, {});".format(self.variable(p, name), kind_name(kind)))
            self.shown.append("fuzz_show_handle(p, {});".format(name))
            return name
        if type_ in ("rac_value",):
            self.add("rac_value {} = fuzz_value(p, &c);".format(name))
            self.shown.append("fuzz_show_value(p, {});".format(name))
            return name
        if type_ == "rac_destroy_fn":
            return "destroy"
        if type_ == "void*" and self.is_context(p):
            role = "SHARED"
            if self.function.name in rules.SUBSCRIPTIONS:
                role = "SUBSCRIPTION"
            if self.function.name in rules.ONCE:
                role = "ONCE"
            self.add("rac_destroy_fn destroy;")
            self.add(
                "void *{} = fuzz_context(p, {}, &destroy);".format(name, role)
            )
            self.shown.append("fuzz_show_context(p, {});".format(name))
            return name
        if type_ == "void*":
            # Nobody reads through it.
            return "NULL" if p.name == "context" else "fuzz_pointer(p)"
        if type_ == "rac_step*":
            # Only callbacks have one.
            return "fuzz_pointer(p)"
        if re.match(r"rac_\w+_fn$", type_):
            self.add("{} {} = fuzz_percent(p, 2) ? NULL : fuzz_{};".format(type_, name, type_))
            self.shown.append("fuzz_show_text(p, {0} ? \"{1}\" : \"NULL\");".format(name, type_))
            return name
        if type_ == "const rac_observer*":
            return self.observer(name, "rac_observer", "fuzz_observer")
        if type_ == "const rac_batch_observer*":
            return self.observer(name, "rac_batch_observer", "fuzz_batch_observer")
        if type_ == "const rac_object_class*":
            return "fuzz_object_class(p)"
        if type_ == "size_t":
            return self.count(i, p, name, numbers)
        if type_ == "double":
            what = numbers.get(p.name, "timeout" if p.name == "timeout" else "seconds")
            self.add("double {} = fuzz_{}(p, &c);".format(name, what))
            self.shown.append("fuzz_show_double(p, {});".format(name))
            return name
        if type_ in SCALARS:
            self.add("{} {} = {};".format(type_, name, SCALARS[type_]))
            self.shown.append("fuzz_show_number(p, (int64_t){});".format(name))
            return name
        return self.array(i, p, name) or self.out(i, p, name) or fail(
            "{}: no way to make a {}".format(self.function.name, p.declaration)
        )

    def variable(self, p, name):
        return p.declaration[: -len(p.name)] + name

    def is_context(self, p):
        return self.has_destroy() and p.name in ("context", "pointer")

    def guarded(self, p, name, how):
        kind = kind_of(p.type, self.kinds)
        self.add("{} = fuzz_{}(p, &c);".format(self.variable(p, name), how))
        self.shown.append("fuzz_show_handle(p, {});".format(name))
        self.after.append("rac_release({});".format(name))
        assert kind
        return name

    def observer(self, name, type_, maker):
        self.add("{} {};".format(type_, name))
        self.add("void *a_context = {}(p, &{});".format(maker, name))
        self.shown.append("fuzz_show_context(p, a_context);")
        return "&" + name

    def count(self, i, p, name, numbers):
        """A size: of what stands before it, or by itself."""
        before = self.function.parameters[i - 1] if i else None
        if before is not None and before.name != "elements" and before.type in (
            "const char*",
            "const void*",
            "char*",
        ):
            return "size_a_" + before.name
        if p.name == "count" and any(
            self.is_array(q) for q in self.function.parameters[:i]
        ):
            return "count"
        if p.name == "count" and any(self.is_out_array(q) for q in self.function.parameters[:i]):
            return "count"
        what = numbers.get(p.name, "size")
        self.add("size_t {} = fuzz_{}(p);".format(name, what))
        self.shown.append("fuzz_show_number(p, (int64_t){});".format(name))
        return name

    def is_array(self, p):
        return p.type == "const rac_value*" or p.name == "elements" or p.type.endswith("*const *")

    def is_out_array(self, p):
        return self.function.name == "rac_tuple_unpack" and p.type == "rac_value*"

    def declare_count(self, what):
        """Makes `count` up, and says what an array may make of it that is none."""
        if "size_t count" not in "".join(self.lines):
            self.add("size_t count = {};".format(what))
            self.shown.append("fuzz_show_number(p, (int64_t)count);")
        is_only = sum(self.is_array(q) for q in self.function.parameters) == 1
        return "&count" if is_only else "&(size_t){count}"

    def array(self, i, p, name):
        """Several of something, and `count`; or bytes and their length."""
        if p.type == "const rac_value*":
            # One alone where there is no count.
            has_count = any(q.name == "count" for q in self.function.parameters)
            count = self.declare_count("fuzz_little(p)") if has_count else "&(size_t){1}"
            self.add("const rac_value *{} = fuzz_values(p, &c, {});".format(name, count))
            return name
        if p.type.endswith("*const *"):
            kind = kind_of(p.type[: -len("const *")], self.kinds)
            count = self.declare_count("fuzz_little(p)")
            self.add("void *{}s[LITTLE] = {{0}};".format(name))
            self.add(
                "{} *const *{} = fuzz_handles(p, &c, {}, {}s, {});".format(
                    "rac_" + kind, name, kind_name(kind), name, count
                )
            )
            self.shown.append("fuzz_show_handles(p, {}s, count);".format(name))
            return name
        if p.name == "elements":
            count = self.declare_count("fuzz_count_of(p, a_type)")
            self.add("const void *{} = fuzz_elements(p, &c, a_type, {});".format(name, count))
            return name
        if p.type in ("const char*", "const void*"):
            sized = self.following(i, "size_t")
            if sized:
                self.add("size_t size_{} = 0;".format(name))
                # What has a destroy is kept.
                how = "fuzz_lasting_bytes" if self.has_destroy() else "fuzz_bytes"
                self.add("{} {} = {}(p, &c, &size_{});".format(p.type, name, how, name))
            else:
                self.add("const char *{} = fuzz_text(p, &c);".format(name))
            self.shown.append("fuzz_show_text(p, {});".format(name))
            return name
        if p.type == "char*":
            self.add("char {}[64];".format(name))
            self.add("size_t size_{0} = fuzz_below(p, sizeof {0} + 1);".format(name))
            return "size_{0} ? {0} : NULL".format(name)
        return None

    def out(self, i, p, name):
        maybe = "fuzz_percent(p, 6) ? NULL : {}{}"
        if self.is_out_array(p):
            self.add("rac_value {}[LITTLE];".format(name))
            self.add("size_t count = fuzz_little(p);")
            return name
        if p.type == "rac_value*":
            self.add("rac_value {} = rac_value_nil();".format(name))
            if self.function.name != "rac_signal_get_key":
                self.after.append("fuzz_take_value(p, {});".format(name))
            return maybe.format("&", name)
        if p.type in OUTS:
            self.add("{} {} = 0;".format(OUTS[p.type], name))
            return maybe.format("&", name)
        kind = kind_of(p.type[:-1], self.kinds)
        if kind:
            self.add("rac_{} *{} = NULL;".format(kind, name))
            self.after.append("fuzz_keep(p, &c, {}, {});".format(kind_name(kind), name))
            # What cannot be disposed otherwise.
            return "&" + name if kind == "disposable" else maybe.format("&", name)
        return None

    def text(self):
        f = self.function
        out = ["static void fuzz_{}(player *p) {{".format(f.name)]
        if f.name in rules.WITH_THREADS:
            out.append("if (fuzz.threads == 1) return;")
        out.append("call c = fuzz_begin(p, FUNCTION_{});".format(f.name.upper()))
        out += self.lines
        out.append("if (fuzz.trace) {")
        out += self.shown
        out.append("fuzz_show_end(p);")
        out.append("}")
        called = "{}({})".format(f.name, ", ".join(self.arguments))
        out += self.result(called)
        out += self.after
        out.append("fuzz_end(p, &c);")
        out.append("}")
        return "\n".join(out)

    def result(self, called):
        f = self.function
        kind = kind_of(f.result, self.kinds)
        if kind:
            owner = owner_of_handle(f, self.functions)
            lines = ["rac_{} *result = {};".format(kind, called)]
            lines.append("fuzz_note(p, &c, result != NULL);")
            if f.name in rules.SUBSCRIPTIONS:
                lines.append("fuzz_note_subscription(a_context, result);")
            if f.name in rules.STOPPED:
                lines.append("result = fuzz_stopped(p, result);")
            keep = "fuzz_keep" if owner == "owned" else "fuzz_keep_lent"
            lines.append("{}(p, &c, {}, result);".format(keep, kind_name(kind)))
            return lines
        if f.result == "rac_value":
            owned = "owned value" in f.returned
            use = "fuzz_take_value" if owned else "fuzz_hear_value"
            return ["rac_value result = {};".format(called), "{}(p, result);".format(use)]
        if f.result == "rac_status":
            return ["fuzz_note_status(p, &c, {});".format(called)]
        if f.result == "const char*":
            return ["fuzz_hear_text({});".format(called)]
        if f.result == "void":
            return [called + ";"]
        if f.result in SCALARS or f.result in ("size_t", "uint64_t", "double", "int"):
            return ["(void){};".format(called)]
        fail("{}: what to do with a {}?".format(f.name, f.result))


def callback(typedef, kinds):
    """A callback of the type: it hears, perhaps acts, and answers."""
    name = "fuzz_" + typedef.name
    parameters = typedef.parameters
    lines = [
        "{} {}({}) {{".format(typedef.result, name, ", ".join(p.declaration for p in parameters)),
        "player *p = fuzz_enter{}(context);".format("_destroy" * (typedef.name in rules.DESTROYS)),
        'if (fuzz.trace) fuzz_show_callback(p, "{}", context);'.format(typedef.name),
    ]
    outs, lent = [], "rac_value_nil()"
    for i, p in enumerate(parameters):
        if i == 0:
            continue
        kind = kind_of(p.type, kinds)
        below = parameters[i + 1].name if i + 1 < len(parameters) else None
        if kind:
            lines.append("fuzz_hear_handle(p, {}, {});".format(kind_name(kind), p.name))
            if kind in rules.HEARD:
                lines.append("fuzz_hear_{}(p, {});".format(kind, p.name))
        elif p.type == "rac_value":
            lines.append("fuzz_hear_value(p, {});".format(p.name))
            lent = p.name
        elif p.type == "const rac_value*":
            lines.append("fuzz_hear_values(p, {}, {});".format(p.name, below))
        elif p.type in ("const int64_t*", "const double*"):
            lines.append("fuzz_hear_bytes({}, {} * 8);".format(p.name, below))
        elif p.type == "const char*":
            lines.append("fuzz_hear_text({});".format(p.name))
        elif p.type == "const rac_trace_event*":
            lines.append("fuzz_hear_trace(p, {});".format(p.name))
        elif p.type == "const rac_unhandled_error*":
            lines.append("fuzz_hear_unhandled(p, {});".format(p.name))
        elif p.type == "rac_value*":
            outs.append("*{} = fuzz_answer(p, {});".format(p.name, lent))
        elif p.type == "bool*":
            outs.append("*{} = fuzz_flag(p);".format(p.name))
        elif p.type == "int32_t*":
            outs.append("*{} = fuzz_flag(p) - fuzz_flag(p);".format(p.name))
        elif p.type.endswith("**"):
            kind = kind_of(p.type[:-1], kinds) or fail(typedef.name + ": " + p.declaration)
            outs.append("*{} = fuzz_give_{}(p);".format(p.name, kind))
        elif p.type == "rac_step*":
            lines.append("fuzz_hear_step(p, {}, {});".format(p.name, below))
            outs.append("if (fuzz_percent(p, 5)) status = fuzz_flag(p) ? RAC_STEP_COMPLETE : 101;")
        elif p.type in ("size_t", "int32_t", "void*"):
            lines.append("(void){};".format(p.name))
        else:
            fail("{}: no way to hear a {}".format(typedef.name, p.declaration))
    if typedef.name in ("rac_error_fn", "rac_completed_fn"):
        lines.append("fuzz_hear_end(context);")
    lines.append("fuzz_act(p, context);")
    if typedef.result == "rac_status":
        lines.append("rac_status status = fuzz_status(p);")
        lines.append("if (status >= 0) {")
        lines += outs
        lines.append("}")
        lines.append("fuzz_leave(p, context);")
        lines.append("return status;")
    else:
        lines.append("fuzz_leave(p, context);")
    return "\n".join(lines + ["}"])


def check_rules(functions, typedefs):
    """A rule for what is not there is one that was not changed with the header."""
    of_functions = (
        rules.BY_HAND,
        rules.LEFT_OUT,
        rules.WITH_THREADS,
        rules.GUARDED,
        rules.LEAVES,
        rules.STOPPED,
        rules.NUMBERS,
        rules.SUBSCRIPTIONS,
        rules.ONCE,
    )
    of_typedefs = (rules.CALLBACKS_BY_HAND, rules.DESTROYS)
    for known, there in ((of_functions, functions), (of_typedefs, typedefs)):
        for name in sorted(name for names in known for name in names):
            if name not in there:
                fail("a rule for {}, which is not in the header".format(name))


def main(include, out):
    include, out = pathlib.Path(include), pathlib.Path(out)
    types = (include / "rac_types.h").read_text()
    kinds = header.handles(types)
    functions = header.functions((include / "rac.h").read_text())
    by_name = {f.name: f for f in functions}
    typedefs = header.callbacks(types)
    check_rules(set(by_name), {t.name for t in typedefs})

    table = [f for f in functions if f.name not in rules.LEFT_OUT]

    h = ["/* Generated by Tests/fuzz/generate.py. */"]
    h.append("typedef enum kind {")
    h += ["{},".format(kind_name(kind)) for kind in kinds]
    h.append("KINDS\n} kind;")
    h.append("enum {")
    h += ["FUNCTION_{},".format(f.name.upper()) for f in table]
    h.append("FUNCTIONS\n};")
    for t in typedefs:
        parameters = ", ".join(p.declaration for p in t.parameters)
        h.append("{} fuzz_{}({});".format(t.result, t.name, parameters))
    for name in sorted(rules.BY_HAND):
        h.append("void fuzz_{}(player *p);".format(name))
    c = ["/* Generated by Tests/fuzz/generate.py. */", '#include "fuzz.h"', ""]
    for t in typedefs:
        if t.name not in rules.CALLBACKS_BY_HAND:
            c.append(callback(t, kinds) + "\n")
    for f in table:
        if f.name not in rules.BY_HAND:
            c.append(Call(f, by_name, kinds).text() + "\n")
    c.append("const function fuzz_functions[FUNCTIONS] = {")
    for f in table:
        c.append('{{"{0}", fuzz_{0}, {1}}},'.format(f.name, rules.weight(f.name)))
    c.append("};")
    c.append("const char *const fuzz_kinds[KINDS] = {")
    c += ['"{}",'.format(kind) for kind in kinds]
    c.append("};")
    also = [[kind_name(a) for a in rules.ALSO.get(kind, [])] for kind in kinds]
    width = max(len(a) for a in also) + 1
    c.append("const int fuzz_also[KINDS][ALSO] = {")
    for kinds_too in also:
        c.append("{" + ", ".join(kinds_too + ["-1"] * (width - len(kinds_too))) + "},")
    c.append("};")
    (out / "calls.c").write_text("\n".join(c) + "\n")
    h.append("enum {{ ALSO = {} }};".format(width))
    (out / "calls.h").write_text("\n".join(h) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
