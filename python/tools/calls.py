#!/usr/bin/env python3
"""calls.py RAC_JSON OUTPUT: the table of what the extension calls, in C, from the
description of the ABI. Each function of rac.h is in it, or is named in names.py as one
that is written by hand; one that is neither stops the build."""

import json
import sys

import names
import texts
import wording

CLASSES = {
    "rac_signal": "Signal", "rac_subject": "Subject", "rac_subscriber": "Observer",
    "rac_disposable": "Disposable", "rac_scheduler": "Scheduler",
    "rac_connection": "Connection", "rac_recursion": "Recursion",
    "rac_command": "Command", "rac_sequence": "Sequence",
    "rac_sequence_iterator": "SequenceIterator", "rac_property": "Property",
    "rac_channel": "Channel", "rac_bound": "Bound", "rac_counter": "Counter",
}
PREFIXES = {
    "Signal": "rac_signal_", "Subject": "rac_subject_", "Observer": "rac_subscriber_",
    "Disposable": "rac_", "CompoundDisposable": "rac_compound_disposable_",
    "SerialDisposable": "rac_serial_disposable_", "Scheduler": "rac_scheduler_",
    "Connection": "rac_connection_", "Recursion": "rac_", "Command": "rac_command_",
    "Sequence": "rac_sequence_", "Property": "rac_property_", "Channel": "rac_channel_",
    "Bound": "rac_bound_", "Counter": "rac_counter_", "SequenceIterator": "rac_sequence_iterator_",
}
HANDLES = {  # by argument: what it is, and whether None will do
    "rac_signal *": "SIGNAL", "rac_scheduler *": "SCHEDULER", "rac_bound *": "BOUND",
    "rac_sequence *": "SEQUENCE", "rac_property *": "PROPERTY",
    "rac_disposable *": "DISPOSABLE", "rac_subject *": "SUBJECT",
    "rac_subscriber *": "OBSERVER",
}
ARRAYS = {
    "rac_signal *const *": "SIGNALS", "rac_sequence *const *": "SEQUENCES",
    "rac_property *const *": "PROPERTIES", "const rac_value *": "VALUES",
    "const char *const *": "TEXTS",
}
PLAIN = {
    "size_t": "COUNT", "double": "SECONDS", "bool": "TRUTH", "rac_value": "VALUE",
    "int": "DESCRIPTOR", "int32_t": "INT", "int64_t": "INT64", "uint32_t": "INT",
    "const char *": "TEXT",
}
FIELD = {
    "COUNT": "size", "COUNT_OR_FOR_EVER": "size", "COUNT_OR_ALL": "size",
    "SECONDS": "number", "SECONDS_OR_EVER": "number", "TIMEOUT": "number",
    "TRUTH": "integer", "INT": "integer", "INT64": "integer", "DESCRIPTOR": "integer",
    "TUPLE": "value",
    "ZONE": "integer", "PRIORITY": "integer", "POLICY": "integer", "VALUE": "value",
    "ERROR": "value", "TEXT": "text", "STRING": "value", "BYTES": "value",
    "SIGNALS": "list.items", "SEQUENCES": "list.items", "PROPERTIES": "list.items",
    "VALUES": "list.values", "TEXTS": "list.items",
}
PAIRED = {"map_fn", "reduce_fn", "factory_fn", "try_fn", "signal_fn", "sequence_tail_fn",
          "next_fn"}


class Fault(Exception):
    pass


class Parameter:
    """One of Python's."""

    def __init__(self, c, function, variant=None):
        self.c = c["name"]
        self.name = self.c.replace("options", "distinct").replace("ownership", "owned")
        self.name = {"descriptor": "fd"}.get(self.name, self.name)
        self.name = names.PARAMETER_NAMES.get((function, self.c), self.name)
        self.kind, self.default = self.kind_of(c, function)
        if variant and self.c in names.VARIANTS[function][variant][2]:
            self.name, self.kind = names.VARIANTS[function][variant][2][self.c]
        self.keyword = (
            self.kind == "SCHEDULER" and function not in names.POSITIONAL_SCHEDULER)
        self.index = None

    def kind_of(self, c, function):
        if (function, self.c) in names.PARAMETERS:
            return names.PARAMETERS[function, self.c]
        ctype, nullable = c["type"], c.get("nullable")
        default = "None" if nullable else None
        if c.get("role") == "callback":
            return "CALL", default
        if ctype in ARRAYS:
            return ARRAYS[ctype], default if ctype == "const char *const *" else None
        if ctype in HANDLES:
            # A part of this name is called for its bound.
            is_bounded = self.c == "bound" and function.endswith("_bounded")
            return HANDLES[ctype], None if is_bounded else default
        if self.c == "options":
            return "TRUTH", "False"
        if self.c == "ownership":
            return "TRUTH", "False"
        if ctype == "rac_value" and self.c == "error":
            return "ERROR", None
        if ctype == "double" and self.c == "timeout":
            return "TIMEOUT", "None"
        if ctype in PLAIN:
            return PLAIN[ctype], default if ctype == "const char *" else None
        raise Fault("{}: parameter {} of type {}".format(function, self.c, ctype))

    def cast(self, expression, ctype):
        """For the C call."""
        if self.kind in ("TRUTH", "INT", "DESCRIPTOR", "ZONE", "PRIORITY", "POLICY"):
            return "({}){}".format(ctype, expression)
        if self.kind in ARRAYS.values() and self.kind != "VALUES":
            return "({}){}".format(ctype, expression)
        return expression


class Call:
    """One function: how Python says it, and the C that calls it."""

    def __init__(self, function, variant=None):
        self.c = function["name"]
        self.function = function
        self.variant = variant
        self.fixed = {p: c for (name, p), c in names.FIXED.items() if name == self.c}
        if variant:
            self.fixed.update(names.VARIANTS[self.c][variant][0])
        first = function["parameters"][0]["type"] if function["parameters"] else ""
        handle = first.replace("*", "").strip() if first.count("*") == 1 else ""
        self.owner, self.form = None, "function"
        if self.c in names.CONSTRUCTORS:
            self.owner, self.form = names.CONSTRUCTORS[self.c], "constructor"
        elif self.c in names.STATIC:
            self.owner, self.form = CLASSES["_".join(self.c.split("_")[:2])], "static"
        elif self.c in names.FUNCTIONS:
            pass
        elif handle in CLASSES and not first.startswith("const"):
            self.owner, self.form = CLASSES[handle], "method"
            for special in ("CompoundDisposable", "SerialDisposable"):
                if self.c.startswith(PREFIXES[special]):
                    self.owner = special
            if self.c in names.GETTERS:
                self.form = "getter"
        elif self.c.startswith("rac_sequence_"):
            self.owner, self.form = "Sequence", "static"
        self.name = self.name_in_python()
        # What errors, notes and help() call it.
        self.word = names.PARTS.get(self.c, (None, names.COCOA.get(self.c, self.name)))[1]
        owner = "cocoa" if self.c in names.COCOA else self.owner
        self.shown = self.word if owner is None else "{}.{}".format(owner, self.word)
        if self.form == "constructor":
            self.shown = self.owner
        self.variadic = False
        self.parse()
        self.result()

    def name_in_python(self):
        if self.variant:
            return self.variant
        if self.c in names.RENAMED:
            return names.RENAMED[self.c]
        if self.c in names.PARTS:
            return names.PARTS[self.c][0]
        if self.c in names.COCOA:
            return "_" + names.COCOA[self.c]
        if self.owner == "Scheduler" and self.c.startswith(("rac_virtual_", "rac_schedule_")):
            return self.c.replace("rac_virtual_", "").replace("rac_", "")
        if self.c == "rac_subscribe_subscriber":
            return "subscribe_to"
        prefix = PREFIXES.get(self.owner, "rac_signal_")
        if self.c.startswith(prefix):
            return self.c[len(prefix):]
        return self.c[len("rac_"):]

    def parse(self):
        """Python's parameters, and the arguments of the C call."""
        listed = self.function["parameters"]
        if self.form in ("method", "getter"):
            listed = listed[1:]
        skipped = ("context", "destroy", "size")
        out = [c for c in listed if c.get("direction") == "out"]
        self.python = [
            Parameter(c, self.c, self.variant) for c in listed
            if c.get("role") not in skipped and c.get("direction") != "out"
            and c["name"] not in self.fixed]
        if self.c in names.ORDER:
            order = names.ORDER[self.c]
            self.python.sort(key=lambda p: order.index(p.c))
        self.python.sort(key=lambda p: p.keyword)
        arrays = [p for p in self.python if p.kind in ("SIGNALS", "VALUES")]
        if arrays and len(self.python) == 1:
            self.variadic = True
        calls = [p for p in self.python if p.kind == "CALL"]
        in_c = [c["name"] for c in listed if c.get("role") == "callback"]
        for index, parameter in enumerate(self.python):
            parameter.index = index
        self.callbacks = sorted(calls, key=lambda p: in_c.index(p.c))
        # Without a destroy it is asked during the call alone, and lent.
        self.is_kept = any(c.get("role") == "destroy" for c in listed)
        if self.callbacks and not self.is_kept and len(self.callbacks) > 1:
            raise Fault("{}: lends several callbacks".format(self.c))
        by_name = {p.c: p for p in self.python}
        arguments = []
        if self.form in ("method", "getter"):
            arguments.append("call->self")
        for c in listed:
            role, ctype = c.get("role"), c["type"]
            if c["name"] in self.fixed:
                arguments.append(self.fixed[c["name"]])
            elif c.get("direction") == "out":
                arguments.append("&call->result." + self.out_field(c))
            elif role == "context":
                arguments.append("call->context" if self.is_kept or not self.callbacks else
                                 "call->given[{}].handle".format(self.callbacks[0].index))
            elif role == "destroy":
                speaks = self.c in names.SPEAKING
                arguments.append("drop_speaking_context" if speaks else "drop_context")
            elif role == "size":
                array = next(p for p in self.python if p.kind in ARRAYS.values())
                arguments.append("call->given[{}].list.count".format(array.index))
            elif role == "callback":
                arguments.append(self.trampoline(by_name[c["name"]], ctype))
            else:
                p = by_name[c["name"]]
                field = FIELD.get(p.kind, "handle")
                expression = "call->given[{}].{}".format(p.index, field)
                arguments.append(p.cast(expression, ctype))
        self.arguments = arguments
        self.out = out

    def trampoline(self, parameter, ctype):
        stem = ctype[len("rac_"):]
        name = "call_" + stem[:-len("_fn")]
        if len(self.callbacks) > 1:
            if stem not in PAIRED:
                raise Fault("{}: no trampoline of {} in a pair".format(self.c, ctype))
            name += "_{}".format(self.callbacks.index(parameter))
        if self.c in names.RAISED:
            name += "_raised"
        if parameter.default == "None":
            return "call->given[{}].handle ? {} : NULL".format(parameter.index, name)
        return name

    def out_field(self, c):
        fields = {"rac_value *": "value", "bool *": "truth", "uint64_t *": "number64"}
        if c["type"] not in fields:
            raise Fault("{}: writes {}".format(self.c, c["type"]))
        return fields[c["type"]]

    def result(self):
        """The kind of what Python gets, and the field that the call's result goes to."""
        returns = self.function["returns"]
        ctype = returns["type"]
        out = self.out
        if out:
            self.kind = {"rac_value *": "VALUE_OUT", "bool *": "TRUTH_OUT",
                         "uint64_t *": "HASH_OUT"}[out[0]["type"]]
            self.field = "status"
        elif self.c == "rac_counter_get":
            self.kind, self.field = "INTEGER64", "integer"
        elif self.variant == "policy":
            self.kind, self.field = "POLICY", "integer"
        elif ctype.rstrip(" *") in CLASSES:
            self.kind, self.field = "HANDLE", "handle"
            if returns.get("ownership") == "lent":
                self.kind = "HANDLE_LENT"
            elif self.c in ("rac_scheduler_current", "rac_serial_disposable_current",
                            "rac_serial_disposable_swap"):
                self.kind = "HANDLE_OR_NONE"
        else:
            plain = {"rac_status": ("STATUS", "status"), "bool": ("TRUTH", "truth"),
                     "size_t": ("SIZE", "size"), "uint64_t": ("NUMBER64", "number64"),
                     "double": ("NUMBER", "real"), "int64_t": ("COUNT64", "integer"),
                     "int32_t": ("COUNT64", "integer"), "void": ("NOTHING", None)}
            if ctype not in plain:
                raise Fault("{}: returns {}".format(self.c, ctype))
            self.kind, self.field = plain[ctype]
        made = CLASSES.get(ctype.rstrip(" *"), "Signal")
        if self.c in ("rac_subscribe_subscriber",):
            made = "Subscription"
        self.made = names.CONSTRUCTORS.get(self.c, made)

    # ---- What is written -----------------------------------------------------------

    def operates(self):
        """Whether what its functions raise gets a note, and whether that has a chain."""
        if not self.callbacks or not self.is_kept or self.owner == "Scheduler":
            return "OPERATES_NOT"
        on_signal = self.owner == "Signal" and self.form == "method"
        return "OPERATES_ON_SIGNAL" if on_signal else "OPERATES"

    def ident(self):
        if self.variant:
            return "{}_{}".format(self.c.split("_")[1], self.variant)
        return self.c[len("rac_"):]

    def signature(self):
        parts = []
        if self.form == "method":
            parts.append("$self")
        starred = False
        for p in self.python:
            if self.variadic:
                parts.append("*" + p.name)
                starred = True
                continue
            if p.keyword and not starred:
                parts.append("*")
                starred = True
            parts.append(p.name + ("" if p.default is None else "=" + p.default))
        return "({})".format(", ".join(parts))

    def doc(self):
        text = wording.docstring(self)
        if self.form in ("constructor", "getter"):
            return text
        return "{}{}\n--\n\n{}".format(self.name, self.signature(), text)

    def write(self):
        ident = self.ident()
        lines = []
        call = "{}({})".format(
            names.INSTEAD.get(self.c, self.c), ", ".join(self.arguments))
        if self.c in names.OF_OTHERS:
            call = call.replace("call->self", "given", 1)
        if self.c in names.FAILS:
            source = "call->self" if self.form == "method" else "NULL"
            for code in names.FAILS[self.c].split():
                call = "with_notes({}, {}, \"{}\", {})".format(source, call, self.word, code)
        into = "call->result.{} = ".format(self.field) if self.field else ""
        before, after = "", ""
        if self.c in names.OF_OTHERS:
            kind, made = names.OF_OTHERS[self.c]
            before = "{} *given = {};\n  ".format(kind, made.format(self.word))
            after = "\n  rac_release(given);"
        lines.append(
            "static void run_{}(struct call *call) {{\n  (void)call;\n  {}{}{};{}\n}}".format(
                ident, before, into, call, after))
        parameters = "NULL"
        if self.python:
            parameters = "parameters_" + ident
            rows = ["  {{\"{}\", {}, {}, {}}},".format(
                p.name, "KIND_" + p.kind, "true" if p.default is None else "false",
                self.default(p)) for p in self.python]
            lines.append("static const struct parameter {}[] = {{\n{}\n}};".format(
                parameters, "\n".join(rows)))
        order = ", ".join(str(p.index) for p in self.callbacks) or "0"
        keywords = sum(p.keyword for p in self.python)
        lines.append(
            "static const struct row row_{i} = {{\"{shown}\", run_{i}, {p}, {n}, {k}, {v}, "
            "{method}, {reads}, {others}, {operates}, {calls}, {{{order}}}, RESULT_{kind}, CLASS_{made}}};".format(
                i=ident, shown=self.shown, p=parameters, n=len(self.python), k=keywords,
                v="true" if self.variadic else "false",
                method="true" if self.form in ("method", "getter") else "false",
                operates=self.operates(),
                reads="true" if self.owner == "Sequence" else "false",
                others="true" if self.c in names.FOR_OTHERS else "false",
                calls=len(self.callbacks) if self.is_kept else 0, order=order, kind=self.kind,
                made=upper(self.made)))
        if self.form == "constructor":
            lines.append("static int init_{i}(PyObject *self, PyObject *args, "
                         "PyObject *keywords) {{\n  return construct(&row_{i}, self, args, "
                         "keywords);\n}}".format(i=ident))
        elif self.form != "getter":
            lines.append("static PyObject *py_{i}(PyObject *self, PyObject *const *args, "
                         "Py_ssize_t count, PyObject *keywords) {{\n  return perform(&row_{i}, "
                         "self, args, count, keywords);\n}}".format(i=ident))
        return "\n".join(lines)

    def default(self, p):
        if p.default in (None, "None", "False", '"utc"', '"default"', "0", "0.0"):
            return "0"
        return p.default

    def method(self, flags="", is_method=False):
        doc = self.doc()
        if is_method:
            doc = doc.replace("(*", "($self, *", 1)
        return "  {{\"{}\", (PyCFunction)(void (*)(void))py_{}, METH_FASTCALL | METH_KEYWORDS{}, {}}},".format(
            self.name, self.ident(), flags, c_string(doc))


def upper(name):
    out = ""
    for letter in name:
        out += "_" + letter if letter.isupper() and out else letter
    return out.upper()


def c_string(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def calls(data):
    made = []
    for function in data["functions"]:
        name = function["name"]
        if name in names.BY_HAND or name.startswith(names.INTERNAL):
            continue
        made += [Call(function, each) for each in names.VARIANTS.get(name, [None])]
    known = {function["name"] for function in data["functions"]}
    for listed in (names.BY_HAND, names.RENAMED, names.ORDER, names.CONSTRUCTORS,
                   names.GETTERS, names.STATIC, names.PARTS, names.COCOA, names.FOR_OTHERS,
                   names.FAILS):
        for name in listed:
            if name not in known:
                raise Fault("names.py names {}, which rac.h does not have".format(name))
    arguments = {(call.c, p.c) for call in made for p in call.python}
    for listed in texts.ARGUMENTS:
        if listed not in arguments:
            raise Fault("texts.py has an argument {} of {}".format(listed[1], listed[0]))
    for listed in texts.PARTS:
        if listed not in {call.c for call in made}:
            raise Fault("texts.py has a comment of {}".format(listed))
    taken = {}
    for call in made:
        if taken.setdefault((call.owner, call.name), call) is not call:
            raise Fault("{} and {} have one name".format(call.c, taken[call.owner, call.name].c))
    return made


def table(made):
    out = ["/* Generated from include/rac.json by python/tools/calls.py. */\n"]
    out += [call.write() + "\n" for call in made]
    owners = {}
    for call in made:
        rows = owners.setdefault(call.owner, {"methods": [], "getters": [], "new": None})
        if call.form == "constructor":
            rows["new"] = "init_" + call.ident()
        elif call.form == "getter":
            rows["getters"].append("  {{\"{}\", read_row, NULL, {}, (void *)&row_{}}},".format(
                call.name, c_string(call.doc()), call.ident()))
        else:
            flags = " | METH_STATIC" if call.form == "static" else ""
            rows["methods"].append(call.method(flags=flags))
        if call.owner is None and call.variadic and call.python[0].kind == "SIGNALS":
            owners["Signal"]["also"] = owners["Signal"].get("also", []) + [call]
    for call in owners["Signal"].get("also", []):
        if not any('{"%s",' % call.name in row for row in owners["Signal"]["methods"]):
            owners["Signal"]["methods"].append(call.method(is_method=True))
    for owner, rows in owners.items():
        name = upper(owner) if owner else "MODULE"
        if owner is None or rows["methods"]:
            out.append("static PyMethodDef methods_of_{}[] = {{\n{}\n  {{NULL, NULL, 0, NULL}}}};\n".format(
            name, "\n".join(rows["methods"])))
        if rows["getters"]:
            out.append("static PyGetSetDef getters_of_{}[] = {{\n{}\n  {{NULL, NULL, NULL, NULL, NULL}}}};\n".format(
                name, "\n".join(rows["getters"])))
    for variable, key in (("PyMethodDef *const methods_of_class", "methods"),
                          ("PyGetSetDef *const getters_of_class", "getters")):
        out.append("{}[CLASS_COUNT] = {{".format(variable))
        for owner, rows in owners.items():
            if owner and rows[key]:
                out.append("    [CLASS_{0}] = {1}_of_{0},".format(upper(owner), key))
        out.append("};\n")
    out.append("const char *const signature_of_class[CLASS_COUNT] = {")
    for call in made:
        if call.form == "constructor":
            out.append("    [CLASS_{}] = {},".format(
                upper(call.owner), c_string(call.signature())))
    out.append("};\n")
    out.append("const initproc init_of_class[CLASS_COUNT] = {")
    for owner, rows in owners.items():
        if owner and rows["new"]:
            out.append("    [CLASS_{}] = {},".format(upper(owner), rows["new"]))
    out.append("};\n")
    return "\n".join(out)


def main(arguments):
    try:
        with open(arguments[1], encoding="utf-8") as file:
            made = calls(json.load(file))
        text = table(made)
    except (Fault, wording.Stale) as fault:
        print(fault, file=sys.stderr)
        return 1
    with open(arguments[2], "w", encoding="utf-8") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
