"""Diagrams of sequences, read from the engine."""

from staged import C, Calls, rac, racffi, value_of, value_text


class Values(Calls):
    """A diagram of sequences: no time, and the values below those that they
    come from."""

    def __init__(self, name, text):
        super().__init__(name)
        lines = text.split("\n")
        column = lines[0].index(lines[0].split()[1])
        self.lines = {line[:column].strip(): line[column:].split() for line in lines}
        self.heard = {}

    def sequence(self, values):
        held = [value_of(each) for each in values]
        made = rac.rac_sequence_from_values((racffi.Value * len(held))(*held), len(held))
        for value in held:
            rac.rac_value_release(value)
        return self.own(made)

    def __getitem__(self, label):
        self.heard[label] = self.lines[label]
        return self.sequence(self.lines[label])

    def results(self, inputs):
        return list(self.lines)[-1:]

    def made(self, made):
        return {list(self.lines)[-1]: made[0] if isinstance(made, list) else made}

    def play(self, made):
        ((label, sequence),) = made.items()
        each = self.own(rac.rac_sequence_iterate(sequence))
        heard = self.heard[label] = []
        value = racffi.Value()
        while rac.rac_sequence_next(each, value) == C.RAC_OK:
            heard.append(value_text(racffi.from_rac(value)))
            rac.rac_value_release(value)

    def differences(self):
        return [
            "{}\n  drawn  {}\n  read   {}".format(label, line, self.heard.get(label))
            for label, line in self.lines.items()
            if line != self.heard.get(label)
        ]
