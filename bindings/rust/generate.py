#!/usr/bin/env python3
"""Writes src/generated.rs: the functions of rac.h as safe methods.

    generate.py [DESCRIPTION]        of include/rac.json, or of an installed share/rac/rac.json

A function becomes a method of its first handle, with its C name less the prefix. Left to src/lib.rs, or to
`rac::raw`, are those with a shape that this file does not know: it prints how many.
"""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
SCALARS = {
    "int64_t": "i64", "uint64_t": "u64", "int32_t": "i32", "uint32_t": "u32", "uint16_t": "u16", "uint8_t": "u8",
    "size_t": "usize", "double": "f64", "bool": "bool", "int": "std::ffi::c_int", "rac_status": "i32",
}
# What a closure gets and gives; src/call.rs has a function for C of each.
CLOSURES = {
    "rac_next_fn": "Fn(&Value)",
    "rac_error_fn": "Fn(&Value)",
    "rac_completed_fn": "Fn()",
    "rac_action_fn": "Fn()",
    "rac_map_fn": "Fn(&Value) -> Result<Value>",
    "rac_predicate_fn": "Fn(&Value) -> Result<bool>",
    "rac_compare_fn": "Fn(&Value, &Value) -> std::cmp::Ordering",
    "rac_reduce_fn": "Fn(&Value, &Value) -> Result<Value>",
    "rac_reduce_index_fn": "Fn(&Value, &Value, usize) -> Result<Value>",
    "rac_reduce_each_fn": "Fn(&[Value]) -> Result<Value>",
    "rac_factory_fn": "Fn() -> Result<Value>",
    "rac_try_fn": "Fn(&Value) -> Result<()>",
    "rac_signal_fn": "Fn(&Value) -> Result<Signal>",
    "rac_signal_index_fn": "Fn(&Value, usize) -> Result<Signal>",
    "rac_defer_fn": "Fn() -> Result<Signal>",
    "rac_subscribe_fn": "Fn(&Subscriber) -> Result<Option<Disposable>>",
    "rac_start_fn": "Fn(&Subscriber) -> Result<()>",
    "rac_execute_fn": "Fn(&Value) -> Result<Signal>",
    "rac_sequence_fn": "Fn(&Value) -> Result<Sequence>",
}
KEYWORDS = {"as", "do", "final", "if", "in", "loop", "while", "for", "else", "match", "move", "ref", "return", "try", "type", "use", "where", "yield"}
# Written by hand in src/lib.rs.
BY_HAND = {"rac_retain", "rac_release", "rac_value_retain", "rac_value_release", "rac_assign", "rac_raise",
           "rac_dispose_and_release"}


class Unknown(Exception):
    """A shape without a translation."""


def type_name(handle):
    return "".join(part.capitalize() for part in handle.split("_"))


def identifier(name):
    return name + "_" if name in KEYWORDS else name


def raw_type(text, handles):
    """A C type in Rust, for the declarations."""
    text = text.strip()
    if text.endswith("*"):
        inner = text[:-1].strip()
        if inner.endswith("*"):
            return "*mut " + raw_type(inner, handles)
        constant = inner.startswith("const ") or inner.endswith("const")
        inner = re.sub(r"^const | ?const$", "", inner).strip()
        return ("*const " if constant else "*mut ") + raw_type(inner, handles)
    if text in SCALARS:
        return SCALARS[text]
    return {"void": "c_void", "char": "c_char", "rac_value": "RacValue"}.get(text, "c_void")


def raw_declaration(function, handles, callbacks):
    parameters = []
    for parameter in function["parameters"]:
        kind = parameter["type"]
        text = "*const c_void" if kind in callbacks else raw_type(kind, handles)
        parameters.append(identifier(parameter["name"]) + ": " + text)
    returns = function["returns"]["type"]
    after = "" if returns == "void" else " -> " + raw_type(returns, handles)
    return "    pub fn {}({}){};".format(function["name"], ", ".join(parameters), after)


def result_of(function):
    """Of a method: its type, and how it is made of `answer`."""
    returns = function["returns"]
    kind, ownership = returns["type"], returns.get("ownership")
    if kind == "rac_status":
        return "Result<Status>", "status(answer)"
    if kind == "void":
        return "()", "answer"
    if "handle" in returns and ownership == "owned":
        name = type_name(returns["handle"])
        return "Result<{}>".format(name), "{}::adopt(answer)".format(name)
    if "handle" in returns and ownership == "lent":
        name = type_name(returns["handle"])
        return "Result<{}>".format(name), "{}::borrow(answer)".format(name)
    if kind == "rac_value" and ownership in ("owned", "plain"):
        return "Value", "Value(answer)"
    if kind == "rac_value" and ownership in ("lent", "view"):
        return "Value", "Value::retained(answer)"
    if kind in SCALARS:
        return SCALARS[kind], "answer"
    if kind == "const char *":
        return "String", "text(answer)"
    raise Unknown(kind)


class Method:
    """A function with its parameters translated one by one."""

    def __init__(self, function):
        self.function = function
        self.signature, self.before, self.arguments, self.generics = [], [], [], []
        self.extra = []
        parameters = list(function["parameters"])
        # By the parameter that has the size: the arrays and texts of that size.
        self.sized = {}
        for parameter in parameters:
            size = parameter.get("count") or parameter.get("length")
            if size:
                self.sized.setdefault(size, []).append(identifier(parameter["name"]))
        contexts = function.get("contexts", [])
        if len(contexts) > 1 or any(len(context["callbacks"]) != 1 for context in contexts):
            raise Unknown("several callbacks")
        self.by_context = {context["context"]: context["callbacks"][0] for context in contexts}
        self.kinds = {parameter["name"]: parameter["type"] for parameter in parameters}
        self.owner = None
        for number, parameter in enumerate(parameters):
            if parameter["name"] in self.sized:
                self.size(*self.sized[parameter["name"]])
            else:
                self.translate(parameter, number)
        self.returns, self.made = result_of(function)
        if self.extra:
            if function["returns"]["type"] != "rac_status" or len(self.extra) > 1:
                raise Unknown("results")
            kind, expression = self.extra[0]
            self.returns, self.made = "Result<{}>".format(kind), "status(answer).map(|_| {})".format(expression)

    def size(self, first, *others):
        self.arguments.append(first + ".len() as _")
        for other in others:
            self.before.append("if {}.len() != {}.len() {{ return Err(Error::lengths()); }}".format(first, other))

    def translate(self, parameter, number):
        name, kind = identifier(parameter["name"]), parameter["type"]
        if "count" in parameter and "handle" in parameter:
            handle = type_name(parameter["handle"])
            self.signature.append("{}: &[&{}]".format(name, handle))
            self.before.append("let {0}: Vec<_> = {0}.iter().map(|one| one.as_raw()).collect();".format(name))
            self.arguments.append(name + ".as_ptr() as _")
        elif "count" in parameter and kind == "const rac_value *":
            self.signature.append("{}: &[Value]".format(name))
            self.arguments.append(name + ".as_ptr() as _")
        elif "handle" in parameter and parameter["direction"] == "in" and kind.count("*") == 1:
            handle = type_name(parameter["handle"])
            if number == 0:
                self.owner = handle
                self.arguments.append("self.as_raw()")
            elif parameter["nullable"]:
                self.signature.append("{}: Option<&{}>".format(name, handle))
                self.arguments.append("{}.map_or(std::ptr::null_mut(), |one| one.as_raw())".format(name))
            else:
                self.signature.append("{}: &{}".format(name, handle))
                self.arguments.append(name + ".as_raw()")
        elif kind == "rac_value" and parameter.get("ownership") == "lent":
            self.signature.append("{}: impl Into<Value>".format(name))
            self.before.append("let {0}: Value = {0}.into();".format(name))
            self.arguments.append(name + ".0")
        elif kind == "rac_value *" and parameter["direction"] == "out" and parameter.get("ownership") == "owned":
            self.before.append("let mut {} = RacValue::NIL;".format(name))
            self.arguments.append("&mut " + name)
            self.extra.append(("Value", "Value({})".format(name)))
        elif kind in ("double *", "int64_t *", "bool *", "size_t *", "uint64_t *") and parameter["direction"] == "out":
            scalar = SCALARS[kind[:-2]]
            self.before.append("let mut {}: {} = Default::default();".format(name, scalar))
            self.arguments.append("&mut " + name)
            self.extra.append((scalar, name))
        elif parameter.get("role") == "context":
            if parameter["name"] not in self.by_context:
                raise Unknown("a context without callback")
            callback = identifier(self.by_context[parameter["name"]])
            closure = CLOSURES.get(self.kinds[self.by_context[parameter["name"]]])
            if closure is None:
                raise Unknown(self.kinds[self.by_context[parameter["name"]]])
            self.generics.append(closure)
            self.signature.append("{}: impl {} + Send + Sync + 'static".format(callback, closure))
            self.before.append("let call = call::{1}(&{0});".format(
                callback, identifier(self.kinds[self.by_context[parameter["name"]]][4:-3])))
            if any(parameter.get("role") == "destroy" for parameter in self.function["parameters"]):
                self.before.append("let (context, destroy) = call::boxed({});".format(callback))
            else:
                # Lent for the call.
                self.before.append("let context = &{} as *const _ as *mut c_void;".format(callback))
            self.arguments.append("context")
        elif parameter.get("role") == "callback":
            self.arguments.append("call")
        elif parameter.get("role") == "destroy":
            self.arguments.append("destroy")
        elif kind == "const char *":
            self.signature.append("{}: &str".format(name))
            if "length" in parameter:
                self.arguments.append(name + ".as_ptr() as _")
            else:
                self.before.append("let {0} = std::ffi::CString::new({0}).map_err(|_| Error::text())?;".format(name))
                self.arguments.append(name + ".as_ptr()")
                if not result_of(self.function)[0].startswith("Result"):
                    raise Unknown("a text, and no error")
        elif kind in SCALARS:
            self.signature.append("{}: {}".format(name, SCALARS[kind]))
            self.arguments.append(name)
        else:
            raise Unknown(kind)

    def name(self):
        short = self.function["name"][4:]
        prefix = self.owner and re.sub(r"(?<!^)(?=[A-Z])", "_", self.owner).lower() + "_"
        if prefix and short.startswith(prefix):
            short = short[len(prefix):]
        return identifier(short)

    def text(self, indent):
        first = re.match(r"(?s)(.*?[.:?])(\s|$)", self.function["doc"])
        first = first.group(1) if first else self.function["doc"].split("\n\n")[0]
        lines = ["/// " + " ".join(first.split()), "///", "/// C: `{}`".format(self.function["name"])]
        receiver = ["&self"] if self.owner else []
        lines.append("pub fn {}({}) -> {} {{".format(self.name(), ", ".join(receiver + self.signature), self.returns))
        lines += ["    " + line for line in self.before]
        lines.append("    let answer = unsafe {{ raw::{}({}) }};".format(self.function["name"], ", ".join(self.arguments)))
        lines.append("    " + self.made)
        lines.append("}")
        return "".join(indent + line + "\n" for line in lines)


def main(description):
    data = json.loads(pathlib.Path(description).read_text(encoding="utf-8"))
    callbacks = {callback["name"] for callback in data["callbacks"]}
    out = ["// Generated by generate.py of librac {}. Do not edit.\n".format(data["version"])]
    out.append("/// The functions of rac.h as they are.\npub mod raw {\n    use super::*;\n    extern \"C\" {\n")
    for function in data["functions"]:
        out.append("    " + raw_declaration(function, data["handles"], callbacks) + "\n")
    out.append("    }\n}\n\n")
    for handle in data["handles"]:
        kinds = handle["is"]
        base = "Subject => Signal" if handle["name"] == "subject" else None
        name = type_name(handle["name"])
        base = type_name(kinds[0]) if kinds else None
        out.append("handle!({}{});\n".format(name, ", " + base if base else ""))
    methods, unknown = {}, []
    for function in data["functions"]:
        if function["name"] in BY_HAND:
            continue
        try:
            method = Method(function)
        except Unknown as reason:
            unknown.append((function["name"], str(reason)))
            continue
        methods.setdefault(method.owner, []).append(method)
    for owner in sorted(methods, key=str):
        indent = "" if owner is None else "    "
        out.append("\n" if owner is None else "\nimpl {} {{\n".format(owner))
        out += [method.text(indent) for method in methods[owner]]
        out.append("" if owner is None else "}\n")
    for enum in data["enums"]:
        for member in enum["members"]:
            out.append("pub const {}: {} = {};\n".format(member["name"], SCALARS.get(enum.get("type"), "i32"), member["value"]))
    (HERE / "src" / "generated.rs").write_text("".join(out), encoding="utf-8")
    count = sum(len(group) for group in methods.values())
    print("generated.rs: {} of {} functions".format(count, len(data["functions"])))
    if "--unknown" in sys.argv:
        for name, reason in unknown:
            print("  {}: {}".format(name, reason))


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    main(given[0] if given else HERE.parent.parent / "include" / "rac.json")
