"""A sign-up form: attributes that can be observed, bindings, a command.

    python3 examples-python/form.py             plays a user
    python3 examples-python/form.py --window    the same form in tkinter
"""

import asyncio
import sys
from typing import TYPE_CHECKING

import librac as rac

if TYPE_CHECKING:
    import tkinter

TAKEN = {"ada", "ben"}


class SignUp:
    """What the form knows, whatever shows it."""

    name = rac.observable("", distinct=True)
    password = rac.observable("", distinct=True)
    again = rac.observable("", distinct=True)

    def __init__(self) -> None:
        name, password, again = (
            attribute.of(self) for attribute in (SignUp.name, SignUp.password, SignUp.again)
        )
        self.complaint = rac.Property.combine_latest(
            [name, password, again], self.complain, distinct=True
        )
        self.is_valid = self.complaint.map(lambda text: text == "", distinct=True)
        self.sign_up = rac.Command(self.send, enabled=self.is_valid)

    @staticmethod
    def complain(name: str, password: str, again: str) -> str:
        if not name:
            return "a name, please"
        if len(password) < 8:
            return "the password has less than 8 characters"
        return "" if password == again else "the passwords differ"

    async def send(self) -> str:
        await asyncio.sleep(0.01)  # the server
        if self.name in TAKEN:
            raise ValueError(f"{self.name} is taken")
        TAKEN.add(self.name)
        return f"welcome, {self.name}"


async def play() -> None:
    form = SignUp()
    label = rac.Property("")
    label.bind(form.complaint.signal)
    label.subscribe(lambda text: print("label:  ", text or "(nothing)"))
    form.is_valid.subscribe(lambda valid: print("button: ", "on" if valid else "off"))
    form.sign_up.errors.subscribe(lambda error: print("error:  ", error))

    form.name = "ada"
    form.password = "open sesame"
    with rac.batch():  # a password manager fills in both: one change
        form.password = form.again = "correct horse"
    await form.sign_up.execute().catch(lambda error: rac.of(None))
    form.name = "eve"
    await asyncio.sleep(0.05)
    print("server: ", await form.sign_up.execute())


def show() -> None:
    import tkinter

    root = tkinter.Tk()
    rac.Scheduler.for_tkinter(root)
    form = SignUp()
    for attribute in (SignUp.name, SignUp.password, SignUp.again):
        bind_entry(root, attribute.of(form))
    label = tkinter.Label(root, width=50)
    label.pack()
    form.complaint.subscribe(lambda text: label.configure(text=text))
    results = form.sign_up.execution_signals.flatten().merge(form.sign_up.errors.map(str))
    results.deliver_on(rac.Scheduler.main()).subscribe(lambda text: label.configure(text=text))
    button = tkinter.Button(root, text="Sign up", command=lambda: form.sign_up.execute())
    button.pack()
    form.sign_up.enabled.subscribe(
        lambda on: button.configure(state="normal" if on else "disabled")
    )
    root.mainloop()


def bind_entry(root: "tkinter.Tk", text: rac.Property[str]) -> None:
    """An entry and a property that stay equal."""
    import tkinter

    variable = tkinter.StringVar(root)
    text.subscribe(variable.set)
    variable.trace_add("write", lambda *_: setattr(text, "value", variable.get()))
    tkinter.Entry(root, textvariable=variable, width=40).pack()


if __name__ == "__main__":
    show() if "--window" in sys.argv else asyncio.run(play())
