#!/usr/bin/env python3
"""Writes generated.go: the functions of rac.h as methods of Go.

    generate.py [DESCRIPTION]        of include/rac.json, or of an installed share/rac/rac.json

A function becomes a method of its first handle, with its C name less the prefix, in camel case. Functions
with a shape that this file does not know are left out: it prints how many.
"""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
SCALARS = {
    "int64_t": "int64", "uint64_t": "uint64", "int32_t": "int32", "uint32_t": "uint32", "size_t": "int",
    "double": "float64", "bool": "bool", "int": "int",
}
# What a function of Go gets and gives; call.go has one for C of each.
FUNCTIONS = {
    "rac_next_fn": "func(Value)",
    "rac_error_fn": "func(Value)",
    "rac_completed_fn": "func()",
    "rac_action_fn": "func()",
    "rac_map_fn": "func(Value) (Value, error)",
    "rac_predicate_fn": "func(Value) (bool, error)",
    "rac_reduce_fn": "func(Value, Value) (Value, error)",
    "rac_reduce_each_fn": "func([]Value) (Value, error)",
    "rac_factory_fn": "func() (Value, error)",
    "rac_try_fn": "func(Value) error",
    "rac_signal_fn": "func(Value) (*Signal, error)",
    "rac_defer_fn": "func() (*Signal, error)",
    "rac_subscribe_fn": "func(*Subscriber) (*Disposable, error)",
    "rac_execute_fn": "func(Value) (*Signal, error)",
}
KEYWORDS = {"func", "range", "select", "switch", "type", "var", "map", "default", "case", "error", "len"}
BY_HAND = {"rac_retain", "rac_release", "rac_value_retain", "rac_value_release", "rac_assign", "rac_raise",
           "rac_dispose_and_release"}


class Unknown(Exception):
    """A shape without a translation."""


def camel(name):
    return "".join(part.capitalize() for part in name.split("_"))


def identifier(name):
    first, *rest = name.split("_")
    text = first + "".join(part.capitalize() for part in rest)
    return text + "_" if text in KEYWORDS else text


class Method:
    """A function with its parameters translated one by one."""

    def __init__(self, function):
        self.function = function
        self.owner = None
        self.signature, self.before, self.arguments, self.results = [], [], [], []
        parameters = function["parameters"]
        contexts = function.get("contexts", [])
        if len(contexts) > 1 or any(len(context["callbacks"]) != 1 for context in contexts):
            raise Unknown("several callbacks")
        self.callbacks = {context["context"]: context["callbacks"][0] for context in contexts}
        self.kinds = {parameter["name"]: parameter["type"] for parameter in parameters}
        self.sized = {}
        for parameter in parameters:
            size = parameter.get("count") or parameter.get("length")
            if size:
                self.sized.setdefault(size, []).append(identifier(parameter["name"]))
        for number, parameter in enumerate(parameters):
            if parameter["name"] in self.sized:
                (name, *others) = self.sized[parameter["name"]]
                if others:
                    raise Unknown("two lists")
                self.arguments.append("C.size_t(len({}))".format(name))
            else:
                self.translate(parameter, number)

    def translate(self, parameter, number):
        name, kind = identifier(parameter["name"]), parameter["type"]
        is_handle = "handle" in parameter and parameter["direction"] == "in"
        if is_handle and "count" in parameter:
            self.signature.append("{} []{}er".format(name, camel(parameter["handle"])))
            self.before.append("{0}Raw := make([]*C.rac_{1}, len({0})+1)".format(name, parameter["handle"]))
            self.before.append("for number, one := range {0} {{ {0}Raw[number] = one.as{1}() }}".format(
                name, camel(parameter["handle"])))
            self.arguments.append("&{}Raw[0]".format(name))
        elif is_handle and kind.count("*") == 1 and number == 0:
            self.owner = parameter["handle"]
            self.arguments.append("self.as{}()".format(camel(self.owner)))
        elif is_handle and kind.count("*") == 1:
            handle = camel(parameter["handle"])
            self.signature.append("{} {}er".format(name, handle))
            self.before.append("var {0}Raw *C.rac_{1}; if {0} != nil {{ {0}Raw = {0}.as{2}() }}".format(
                name, parameter["handle"], handle))
            self.arguments.append(name + "Raw")
        elif kind == "rac_value" and parameter.get("ownership") == "lent":
            self.signature.append("{} any".format(name))
            self.before.append("{0}Value := Of({0}); defer {0}Value.Release()".format(name))
            self.arguments.append(name + "Value.raw")
        elif kind == "rac_value *" and parameter["direction"] == "out" and parameter.get("ownership") == "owned":
            self.before.append("var {} Value".format(name))
            self.arguments.append("&{}.raw".format(name))
            self.results.append(("Value", name))
        elif kind in ("double *", "int64_t *", "bool *") and parameter["direction"] == "out":
            self.before.append("var {} C.{}".format(name, kind[:-2]))
            self.arguments.append("&" + name)
            self.results.append((SCALARS[kind[:-2]], "{}({})".format(SCALARS[kind[:-2]], name)))
        elif parameter.get("role") == "context":
            if parameter["name"] not in self.callbacks:
                raise Unknown("a context without callback")
            callback = self.callbacks[parameter["name"]]
            kind = self.kinds[callback]
            if kind not in FUNCTIONS:
                raise Unknown(kind)
            if not any(one.get("role") == "destroy" for one in self.function["parameters"]):
                raise Unknown("a context without destroy")
            self.signature.append("{} {}".format(identifier(callback), FUNCTIONS[kind]))
            self.arguments.append("keep({})".format(identifier(callback)))
            self.call = kind
        elif parameter.get("role") == "callback":
            self.arguments.append("C.{}(C.go_{})".format(self.call, self.call[4:-3]))
        elif parameter.get("role") == "destroy":
            self.arguments.append("C.rac_destroy_fn(C.go_drop)")
        elif kind == "const char *":
            self.signature.append("{} string".format(name))
            self.before.append("{0}Text := C.CString({0}); defer C.free(unsafe.Pointer({0}Text))".format(name))
            self.arguments.append(name + "Text")
        elif kind in SCALARS:
            self.signature.append("{} {}".format(name, SCALARS[kind]))
            self.arguments.append("C.{}({})".format(kind, name))
        else:
            raise Unknown(kind)

    def answer(self):
        """The results, and the lines that make them of `answer`."""
        returns = self.function["returns"]
        kind, ownership = returns["type"], returns.get("ownership")
        if kind == "rac_status":
            types = [one for one, _ in self.results] + ["error"]
            made = [one for _, one in self.results] + ["failure(answer)"]
            return types, "return " + ", ".join(made)
        if self.results:
            raise Unknown("results")
        if kind == "void":
            return [], None
        if "handle" in returns and ownership in ("owned", "lent"):
            name = camel(returns["handle"])
            kept = "answer" if ownership == "owned" else "(*C.rac_{})(retained(unsafe.Pointer(answer)))".format(
                returns["handle"])
            return ["*" + name, "error"], "return new{}({})".format(name, kept)
        if kind == "rac_value" and ownership in ("owned", "plain"):
            return ["Value"], "return Value{answer}"
        if kind == "rac_value":
            return ["Value"], "return Value{C.rac_value_retain(answer)}"
        if kind in SCALARS:
            return [SCALARS[kind]], "return {}(answer)".format(SCALARS[kind])
        if kind == "const char *":
            return ["string"], "return C.GoString(answer)"
        raise Unknown(kind)

    def text(self):
        types, made = self.answer()
        name = self.function["name"][4:]
        if self.owner and name.startswith(self.owner + "_"):
            name = name[len(self.owner) + 1:]
        name = camel(name)
        sentence = re.match(r"(?s)(.*?[.:?])(\s|$)", self.function["doc"])
        sentence = sentence.group(1) if sentence else self.function["doc"]
        lines = ["// {}: {}".format(name, " ".join(sentence.split())), "//", "// C: " + self.function["name"]]
        receiver = "(self *{}) ".format(camel(self.owner)) if self.owner else ""
        results = "" if not types else " " + types[0] if len(types) == 1 else " ({})".format(", ".join(types))
        lines.append("func {}{}({}){} {{".format(receiver, name, ", ".join(self.signature), results))
        lines += ["\t" + line for line in self.before]
        if self.owner:
            lines.append("\tdefer runtime.KeepAlive(self)")
        call = "C.{}({})".format(self.function["name"], ", ".join(self.arguments))
        if self.function["returns"]["type"] == "rac_status" or "handle" in self.function["returns"]:
            # The message of a failure belongs to the thread.
            lines.append("\truntime.LockOSThread(); defer runtime.UnlockOSThread()")
        lines.append("\t" + (call if made is None else "answer := " + call))
        if made:
            lines.append("\t" + made)
        lines += ["}", ""]
        return "\n".join(lines)


def main(description):
    data = json.loads(pathlib.Path(description).read_text(encoding="utf-8"))
    out = ["// Code generated by generate.py of librac {}. DO NOT EDIT.\n".format(data["version"])]
    out.append('package rac\n\n// #include "bridge.h"\nimport "C"\nimport (\n\t"runtime"\n\t"unsafe"\n)\n')
    for handle in data["handles"]:
        name, kind = camel(handle["name"]), handle["type"]
        out.append("// {0}er is a {0}, or has one.\ntype {0}er interface{{ as{0}() *C.{1} }}\n".format(name, kind))
        out.append("// {0} is a handle of C's; it is released when Go collects it, or by Release.".format(name))
        # Go packs objects below 16 bytes into one block, and runs no finaliser while part of it is alive.
        out.append("type {0} struct {{\n\traw *C.{1}\n\t_   uintptr\n}}\n".format(name, kind))
        out.append("func new{0}(raw *C.{1}) (*{0}, error) {{\n\tif raw == nil {{ return nil, lastFailure() }}\n"
                   "\tself := &{0}{{raw: raw}}\n\truntime.SetFinalizer(self, (*{0}).Release)\n\treturn self, nil\n}}\n".format(name, kind))
        out.append("// Release gives the reference back at once.\nfunc (self *{0}) Release() {{\n"
                   "\tif self.raw != nil {{ C.rac_release(unsafe.Pointer(self.raw)); self.raw = nil }}\n}}\n".format(name))
        out.append("func (self *{0}) as{0}() *C.{1} {{ return self.raw }}\n".format(name, kind))
        for base in handle["is"]:
            out.append("func (self *{0}) as{1}() *C.rac_{2} {{ return (*C.rac_{2})(unsafe.Pointer(self.raw)) }}\n".format(
                name, camel(base), base))
            out.append("// As{1} is the same as a {2}.\nfunc (self *{0}) As{1}() *{1} {{\n"
                       "\tother, _ := new{1}((*C.rac_{2})(retained(unsafe.Pointer(self.raw))))\n\treturn other\n}}\n".format(
                           name, camel(base), base))
    count = 0
    for function in data["functions"]:
        # The bases are methods of Go's own; so are the two that make them in C.
        if function["name"] in BY_HAND or "_as_" in function["name"]:
            continue
        try:
            text = Method(function).text()
        except Unknown as reason:
            if "--unknown" in sys.argv:
                print("  {}: {}".format(function["name"], reason))
            continue
        out.append(text)
        count += 1
    for enum in data["enums"]:
        out += ["const {} = {}".format(member["name"], member["value"]) for member in enum["members"]]
    (HERE / "generated.go").write_text("\n".join(out) + "\n", encoding="utf-8")
    print("generated.go: {} of {} functions".format(count, len(data["functions"])))


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    main(given[0] if given else HERE.parent.parent / "include" / "rac.json")
