#!/usr/bin/env python3
"""An app that changes the records of the daemon, and checks after a power cut that acknowledged changes are there.

promises.py LEDGER change    changes one thing after another, until the power goes
promises.py LEDGER kept      compares what the daemon has with what it has acknowledged; the status is 1 when they differ
promises.py LEDGER commits N whether as many commits are in the log, of which N is the last, as were acknowledged
promises.py LEDGER set KEY N keeps the value for a number; "set services on|off" throws the switch
promises.py LEDGER hold       an app of a manifest, which makes and ends a background activity session as its input says

It changes its defaults, the switch of location services, which live updates it has begun, the answers about other apps, and
the session of an app with a manifest. The ledger is a file outside of the guest, where no cut reaches, a line for each word:
"asked NAME VALUE" before a change, "done NAME VALUE" when it was acknowledged, "found NAME VALUE" after a cut, "log N" for a
number of commits. A change that was not acknowledged may be there, too.
"""

import random
import struct
import subprocess
import sys

from wire import ANSWERS, CONFIGURATIONS, Daemon, text

KEYS = 8
# The commits that an app gets at once, for updates and for defaults: see StorageLimits.sequencesCommitBurst,
# appCommitBurst.
BEGINNINGS = 6
SETTINGS = 60
# Half of StorageLimits.sequencesCommitBurst, which sessions have, too.
SESSIONS = 3
# Apps with manifests: promises.sh writes them.
ASKING = [f"org.example.asking{number}" for number in range(4)]
HOLDING = "org.example.holding"
HOLDER = "/usr/lib/holding/python3"
# See SPEC-state.md.
NAMES = {"denied": "denied", "always": "always", "when_in_use": "whenInUse"}
AUTHORIZATIONS = {2: "denied", 3: "always", 4: "whenInUse"}
GRANT, SESSIONS_OF_APP = 12, 13


class Ledger:
    """The promises."""

    def __init__(self, path):
        self.path = path
        self.log = None
        self.acknowledged = 0
        self.values = {}
        try:
            lines = open(path).read().splitlines()
        except FileNotFoundError:
            lines = []
        for line in lines:
            word, *rest = line.split()
            if word == "log":
                self.log, self.acknowledged = int(rest[0]), 0
                continue
            name, value = rest
            if word == "asked":
                self.values.setdefault(name, set()).add(value)
            else:
                self.values[name] = {value}
                self.acknowledged += word == "done"

    def write(self, *words):
        # Only closing the file passes its bytes to the host.
        with open(self.path, "a") as file:
            print(*words, file=file)

    def allows(self, name, value):
        """Whether a value is the one that was acknowledged last, or one that was asked for since then."""
        return value in self.values.get(name, {"none"})


def counts(words):
    """How many sequences of each configuration the daemon's words mean."""
    found = dict.fromkeys(CONFIGURATIONS, 0)
    for part in words.split(", ") if words not in ("", "none") else []:
        name, count = part.split()
        found[name] = int(count)
    return found


def word(found):
    """The same as one word for the ledger."""
    return ",".join(f"{name}:{count}" for name, count in found.items() if count) or "none"


def full(number):
    """The value that is kept for a number: of any length, so that commits have one block or two."""
    return f"{number} " + "x" * (number * 977 % 3800)


def answer_in(records, app):
    """The answer about an app in the records."""
    value = records.get((GRANT, app))
    return AUTHORIZATIONS[value[1]] if value else "none"


def session_in(records):
    """Whether the records have the session of the app that holds one."""
    return "held" if (SESSIONS_OF_APP, HOLDING) in records else "none"


class Holder:
    """The process of the app that holds the session."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.process = subprocess.Popen(
            [HOLDER, "-S", sys.argv[0], "-", "hold"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={"PYTHONHOME": "/usr"}, text=True)
        self.process.stdout.readline()

    def order(self, word):
        print(word, file=self.process.stdin, flush=True)
        self.process.stdout.readline()

    def settled(self):
        """Returns when the log has what the holder has ordered.

        The same answer again writes nothing and is acknowledged after the commit that is under way. The order's own commit begins
        at the latest after that one, so the second answer comes after it.
        """
        for _ in range(2):
            self.daemon.answer(HOLDING, "whenInUse")


def hold():
    """Makes a session object at "open" and ends it at "close"; answers each line when the daemon has taken the order."""
    daemon = Daemon(is_operator=False)
    session = number = 0
    print("connected", flush=True)
    for line in sys.stdin:
        if line.strip() == "open":
            number += 1
            session = number
            daemon.send(b"\x30" + struct.pack("<IBB", session, 1, 0) + text(""))
        else:
            daemon.send(b"\x31" + struct.pack("<I", session))
        # A request is no session; its diagnostic comes after the order.
        number += 1
        daemon.send(b"\x30" + struct.pack("<IBB", number, 3, 1) + text(""))
        daemon.wait_for(141, number)
        daemon.send(b"\x31" + struct.pack("<I", number))
        print("done", flush=True)


class App:
    """The app that makes the changes, one after another."""

    def __init__(self, ledger):
        self.ledger = ledger
        self.daemon = Daemon()
        report = self.daemon.report()
        self.is_on = report["services.on"]
        self.kept = counts(report.get("outstanding.1.updates", "none"))
        self.open = []
        self.sequence = 0
        self.set = {key: int(value.split()[0]) for key, value in self.daemon.defaults().items()}
        self.last = max(self.set.values(), default=0)
        self.settings = self.beginnings = self.sessions = 0
        # The records themselves would cost more requests than the daemon answers at once.
        grants = {row["id"]: NAMES[row["authorization"]] for row in self.daemon.grants()}
        self.answers = {app: grants.get(app, "none") for app in ASKING}
        # It may begin its session in the foreground only, and takes an earlier one up within 10 s.
        self.daemon.answer(HOLDING, "whenInUse")
        self.holder = Holder(self.daemon)
        self.is_held = ledger.values.get("session") == {"held"}
        if self.is_held:
            self.holder.order("open")
        self.daemon.change(38, text(HOLDING), 135)

    def promise(self, name, value, change):
        self.ledger.write("asked", name, value)
        change()
        self.ledger.write("done", name, value)

    def step(self):
        kind = random.random()
        if kind < 0.25 and self.beginnings < BEGINNINGS:
            self.begin_something()
        elif kind < 0.5 and self.settings < SETTINGS:
            self.set_something()
        elif kind < 0.7:
            self.answer_about_something()
        elif kind < 0.88 and self.sessions < SESSIONS and (self.is_held or self.is_on):
            self.turn_session()
        else:
            self.is_on = not self.is_on
            self.promise("services", "on" if self.is_on else "off", lambda: self.daemon.services(self.is_on))

    def answer_about_something(self):
        app = random.choice(ASKING)
        answer = random.choice([each for each in ANSWERS if each != self.answers[app]])
        self.answers[app] = answer
        self.promise(f"grant.{app}", answer, lambda: self.daemon.answer(app, answer))

    def turn_session(self):
        """Begins the session, which needs location services, or ends it; either counts when the log has it."""
        self.sessions += 1
        self.is_held = not self.is_held
        wanted = "held" if self.is_held else "none"

        def turn():
            self.holder.order("open" if self.is_held else "close")
            self.holder.settled()

        self.promise("session", wanted, turn)

    def set_something(self):
        self.settings += 1
        key = f"key.{random.randrange(KEYS)}"
        if key in self.set and random.random() < 0.2:
            del self.set[key]
            self.promise(key, "none", lambda: self.daemon.set_default(key, None))
        else:
            self.last += 1
            self.set[key] = self.last
            self.promise(key, str(self.last), lambda: self.daemon.set_default(key, full(self.last)))

    def begin_something(self):
        """Ends some sequences and begins one. The daemon writes an increase at once, and a decrease later."""
        while self.open and random.random() < 0.6:
            sequence, _ = self.open.pop(random.randrange(len(self.open)))
            self.daemon.end(sequence)
        report = self.daemon.report()
        outstanding = counts(report.get("outstanding.1.updates", "none"))
        absent = counts(report.get("outstanding.1.not_taken_up", "none"))
        # The log has more of them after each cut, so half of the choices are configurations that it lacks.
        news = [name for name in CONFIGURATIONS if absent[name] == 0 and outstanding[name] >= self.kept[name]]
        configuration = random.choice(news if news and random.random() < 0.5 else CONFIGURATIONS)
        if absent[configuration] == 0:
            outstanding[configuration] += 1
        self.sequence += 1
        self.open.append((self.sequence, configuration))
        if all(self.kept[name] >= count for name, count in outstanding.items()):
            self.daemon.begin(self.sequence, configuration)
            return
        self.beginnings += 1
        self.promise("updates", word(outstanding), lambda: self.begin(configuration, outstanding))
        self.kept = outstanding

    def begin(self, configuration, outstanding):
        self.daemon.begin(self.sequence, configuration)
        while True:
            report = self.daemon.report()
            if counts(report.get("outstanding.1.updates", "none")) == outstanding and report["outstanding.1.is_kept"]:
                return


def kept(ledger):
    """Whether every promise was kept; what is found counts as promised from now on."""
    daemon = Daemon()
    report = daemon.report()
    found = dict.fromkeys((f"key.{number}" for number in range(KEYS)), "none")
    for key, value in daemon.defaults().items():
        found[key] = value.split()[0]
        if value != full(int(found[key])):
            found[key] = "damaged"
    found["services"] = "on" if report["services.on"] else "off"
    found["updates"] = word(counts(report.get("outstanding.1.updates", "none")))
    records = daemon.records()
    found["session"] = session_in(records)
    for app in ASKING:
        found[f"grant.{app}"] = answer_in(records, app)
    is_whole = True
    for name, value in found.items():
        if not ledger.allows(name, value) and (name in ledger.values or name != "services"):
            print(f"{name} is {value} and was promised to be {ledger.values.get(name, {'none'})}")
            is_whole = False
        ledger.write("found", name, value)
    return is_whole


def main():
    if sys.argv[2] == "hold":
        return hold()
    ledger = Ledger(sys.argv[1])
    if sys.argv[2] == "change":
        app = App(ledger)
        while True:
            app.step()
    if sys.argv[2] == "set":
        daemon, name, value = Daemon(), sys.argv[3], sys.argv[4]
        if name == "services":
            return daemon.services(value == "on")
        return daemon.set_default(name, full(int(value)))
    if sys.argv[2] == "commits":
        last = int(sys.argv[3])
        ledger.write("log", last)
        if ledger.log is not None and last < ledger.log + ledger.acknowledged:
            sys.exit(f"{ledger.log} commits and {ledger.acknowledged} more were acknowledged, and {last} is the last")
        return
    sys.exit(0 if kept(ledger) else 1)


if __name__ == "__main__":
    main()
